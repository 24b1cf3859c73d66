package dev.varve.simulator;

/**
 * What clients do.
 *
 * @param recordBytes a record with its key
 * @param writesPerSecond how fast one client writes when nothing holds it back, at most what
 *     arrives
 * @param keys of which each write hits one at random
 * @param reads what is read beside the writes
 */
public record FlowLoad(int recordBytes, double writesPerSecond, double keys, Reads reads) {
  /** Nothing is read. */
  public static final Reads NO_READS = new Reads(0, 0, 0);

  /**
   * ADOC's {@code fillrandom}: 16 bytes of key and 1000 of value. The paper prints neither the
   * speed of memory nor the number of keys; here a client writes 150,000 records a second out of
   * 200 million.
   */
  public static final FlowLoad FILL_RANDOM = new FlowLoad(1016, 150_000, 200e6, NO_READS);

  /**
   * Reads of the same client, between its writes.
   *
   * @param part of all operations, from 0 to below 1
   * @param seconds one that finds its record in memory
   * @param missSeconds what one takes more that has to ask the device, with one component of level
   *     0; each further one costs a fiftieth more
   */
  public record Reads(double part, double seconds, double missSeconds) {
    /** Checks the numbers. */
    public Reads {
      if (!(part >= 0 && part < 1) || !(seconds >= 0) || !(missSeconds >= 0)) {
        throw new IllegalArgumentException(
            "reads: %f of all, %f s, %f s when missed".formatted(part, seconds, missSeconds));
      }
    }
  }

  /** Checks the numbers. */
  public FlowLoad {
    if (recordBytes < 1 || !(writesPerSecond > 0) || !(keys >= 1)) {
      throw new IllegalArgumentException(
          "load: records of %d bytes, %f a second, %f keys"
              .formatted(recordBytes, writesPerSecond, keys));
    }
  }

  /** The same with fewer writes, or more. */
  public FlowLoad at(double perSecond) {
    return new FlowLoad(recordBytes, perSecond, keys, reads);
  }
}
