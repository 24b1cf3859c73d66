package dev.varve.simulator;

/**
 * No key is written twice: inserts, or the entries of a secondary index whose old ones nobody takes
 * out. Components only ever grow. Immutable.
 */
public record DistinctKeys() implements KeyModel {
  @Override
  public double entries(double loaded, double updates) {
    return loaded + updates;
  }

  @Override
  public String describe() {
    return "distinct";
  }
}
