package dev.varve.simulator;

/**
 * What clients do.
 *
 * @param recordBytes a record with its key
 * @param writesPerSecond how fast one client writes when nothing holds it back, at most what
 *     arrives
 * @param keys of which each write hits one at random
 * @param loaded how many of them are on disk before it begins, merged into one level
 * @param reads what is read beside the writes
 */
public record FlowLoad(
    int recordBytes, double writesPerSecond, double keys, double loaded, Reads reads) {
  /** Nothing is read. */
  public static final Reads NO_READS = new Reads(0, 0, 0, 0);

  /**
   * ADOC's {@code fillrandom}: 16 bytes of key and 1000 of value. The paper prints neither the
   * speed of memory nor the number of keys; here a client writes 150,000 records a second out of
   * 200 million.
   */
  public static final FlowLoad FILL_RANDOM = new FlowLoad(1016, 150_000, 200e6, 0, NO_READS);

  /**
   * What is read.
   *
   * @param part reads of the client that writes, between its writes: of all its operations, from 0
   *     to below 1
   * @param readers clients that do nothing but read, as fast as they can
   * @param seconds a read that finds its record in memory
   * @param requests how many pages a read that does not find it asks the device for, in the mean
   *     and after all caches, with one component of level 0; each further one costs a fiftieth more
   */
  public record Reads(double part, int readers, double seconds, double requests) {
    /** Checks the numbers. */
    public Reads {
      if (!(part >= 0 && part < 1) || readers < 0 || !(seconds >= 0) || !(requests >= 0)) {
        throw new IllegalArgumentException(
            "reads: %f of all, %d readers, %f s, %f requests when missed"
                .formatted(part, readers, seconds, requests));
      }
      if (readers > 0 && !(seconds > 0)) {
        throw new IllegalArgumentException(readers + " readers whose reads take no time");
      }
    }
  }

  /** Checks the numbers. */
  public FlowLoad {
    if (recordBytes < 1
        || !(writesPerSecond > 0)
        || !(keys >= 1)
        || !(loaded >= 0 && loaded <= keys)) {
      throw new IllegalArgumentException(
          "load: records of %d bytes, %f a second, %f keys, %f loaded"
              .formatted(recordBytes, writesPerSecond, keys, loaded));
    }
  }

  /** The same with fewer writes, or more. */
  public FlowLoad at(double perSecond) {
    return new FlowLoad(recordBytes, perSecond, keys, loaded, reads);
  }

  /** The same with other reads. */
  public FlowLoad reading(Reads others) {
    return new FlowLoad(recordBytes, writesPerSecond, keys, loaded, others);
  }
}
