package dev.varve.common.merge;

/**
 * What is seen of an index besides its components. Immutable.
 *
 * @param writes whether the index is being written
 * @param entriesPerDeletion how many entries of older components one antimatter entry or deleted
 *     key stands for, at least 1: more than one where a record has several entries that one deleted
 *     key deletes
 * @param searches how many searches have read more than one disk component side by side since these
 *     changed last, at least 0; those that share no key are read one after the other
 */
public record Observation(Writes writes, long entriesPerDeletion, long searches) {
  /** Nothing has been seen: writes may go on. */
  public static final Observation NONE = new Observation(Writes.GO_ON, 1, 0);

  /** Whether an index is being written. */
  public enum Writes {
    /** It is, or was a moment ago, or nobody has looked. */
    GO_ON,
    /** Nothing has been written for a while: the disk is free for what would cost writers. */
    REST
  }

  /** Checks the numbers. */
  public Observation {
    if (entriesPerDeletion < 1) {
      throw new IllegalArgumentException(entriesPerDeletion + " entries for a deletion");
    }
    if (searches < 0) {
      throw new IllegalArgumentException(searches + " searches");
    }
  }

  /** The same after another number of searches. */
  public Observation searched(long times) {
    return new Observation(writes, entriesPerDeletion, times);
  }

  /** Whether nothing has been written for a while. */
  public boolean quiet() {
    return writes == Writes.REST;
  }
}
