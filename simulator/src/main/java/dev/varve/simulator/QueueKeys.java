package dev.varve.simulator;

/**
 * A queue, or records that live for a time: each write inserts a record under a key of its own, and
 * deletes the one that was inserted a fixed number of writes before. Immutable.
 *
 * @param records how many there are in it
 */
public record QueueKeys(long records) implements KeyModel {
  /** Checks the number. */
  public QueueKeys {
    if (records < 1) {
      throw new IllegalArgumentException(records + " records");
    }
  }

  @Override
  public double entries(double loaded, double updates) {
    return Math.min((double) records, loaded + updates);
  }

  @Override
  public double antimatter(double updates) {
    return updates;
  }

  @Override
  public String describe() {
    return "queue";
  }
}
