package dev.varve.hyracks.feed;

/**
 * How many records of a feed came while there was no room for them.
 *
 * @param spilled waited in files, or do still
 * @param discarded were left out
 */
public record Overflow(long spilled, long discarded) {
  /** None. */
  public static final Overflow NONE = new Overflow(0, 0);

  /** Checks the signs. */
  public Overflow {
    if (spilled < 0 || discarded < 0) {
      throw new IllegalArgumentException(spilled + " spilled, " + discarded + " discarded");
    }
  }

  /** Both together. */
  public Overflow plus(Overflow other) {
    return new Overflow(spilled + other.spilled, discarded + other.discarded);
  }
}
