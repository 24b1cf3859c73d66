package dev.varve.simulator;

/**
 * The entries of a secondary index that is maintained eagerly: an update of a record adds one, and
 * antimatter for the one that its old version had. Both are as random as the secondary keys, so
 * what belongs together meets when components are merged. Immutable.
 *
 * @param records how many records there are, all equally likely to be updated
 */
public record EagerSecondaryKeys(long records) implements KeyModel {
  /** Checks the number. */
  public EagerSecondaryKeys {
    if (records < 1) {
      throw new IllegalArgumentException(records + " records");
    }
  }

  @Override
  public double entries(double loaded, double updates) {
    // Of the updates of a record only the last leaves an entry, and one antimatter: what was
    // between them is gone. The antimatter meets its entry when that was loaded into the component.
    double updated = records * -Math.expm1(-updates / records);
    double here = loaded / records;
    double antimatter = updated * (1 - here);
    return loaded - updated * here + updated + antimatter;
  }

  @Override
  public String describe() {
    return "eager secondary";
  }
}
