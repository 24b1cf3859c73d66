package dev.varve.simulator;

/**
 * Every update goes to one of a fixed number of keys, all equally likely. Immutable.
 *
 * @param keys how many
 */
public record UniformKeys(long keys) implements KeyModel {
  /** Checks the number. */
  public UniformKeys {
    if (keys < 1) {
      throw new IllegalArgumentException(keys + " keys");
    }
  }

  @Override
  public double entries(double loaded, double updates) {
    // Poisson's limit of 1 - (1 - 1/keys)^updates: exact to 1/keys of a part.
    double updated = -Math.expm1(-updates / keys);
    return loaded + (keys - loaded) * updated;
  }

  @Override
  public String describe() {
    return "uniform";
  }
}
