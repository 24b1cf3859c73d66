package dev.varve.scheduler.tuner;

import java.util.Locale;

/**
 * What a tuner sets, all of it changeable while a node runs.
 *
 * @param mergeThreads how many merges run at a time, at least 1
 * @param flushThreads how many flushes run at a time, at least 1
 * @param memoryBytes what a memory component holds, at least 1; sizes of components follow it
 * @param io how the device's bandwidth is split
 */
public record TunerSetting(int mergeThreads, int flushThreads, long memoryBytes, Io io) {
  /** RocksDB merges level 0 from four components on, and level 1 is as large as these. */
  private static final int LEVEL_COMPONENTS = 4;

  private static final int FLUSH_PART = 4;

  /** Which merges go first. */
  public enum MergeOrder {
    /** As the merge scheduler says. */
    AS_SCHEDULED,
    /**
     * Flushes and merges of level 0 before all others, which pause for them: SILK's (Balmau et al.,
     * ATC 2019).
     */
    LEVEL_ZERO_FIRST
  }

  /**
   * A split of the bandwidth.
   *
   * @param bytesPerSecond what flushes and merges may write together, {@link #UNLIMITED} for
   *     whatever the device does
   * @param mergeBytesPerSecond what merges other than those of level 0 may move of it, read and
   *     write; {@link #UNLIMITED} for all
   * @param order which merges go first
   */
  public record Io(long bytesPerSecond, long mergeBytesPerSecond, MergeOrder order) {
    /** No bound. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** Whatever the device does, for whoever comes. */
    public static final Io OPEN = new Io(UNLIMITED, UNLIMITED, MergeOrder.AS_SCHEDULED);

    /** Checks the rates. */
    public Io {
      if (bytesPerSecond < 1 || mergeBytesPerSecond < 1) {
        throw new IllegalArgumentException(
            bytesPerSecond + " bytes per second, " + mergeBytesPerSecond + " of them for merges");
      }
    }
  }

  /** Checks the numbers. */
  public TunerSetting {
    if (mergeThreads < 1 || flushThreads < 1 || memoryBytes < 1) {
      throw new IllegalArgumentException(
          "%d merge threads, %d flush threads, memory components of %d bytes"
              .formatted(mergeThreads, flushThreads, memoryBytes));
    }
  }

  /**
   * The setting of so many threads: a quarter of them flush, rounded down, and at least one (ADOC,
   * section 5). Two threads are one of each.
   */
  public static TunerSetting of(int threads, long memoryBytes, Io io) {
    int flush = Math.max(1, threads / FLUSH_PART);
    return new TunerSetting(Math.max(1, threads - flush), flush, memoryBytes, io);
  }

  /** All threads. */
  public int threads() {
    return mergeThreads + flushThreads;
  }

  /** The same with other threads, divided anew. */
  public TunerSetting withThreads(int threads) {
    return of(threads, memoryBytes, io);
  }

  /** The same with memory components of another size. */
  public TunerSetting withMemoryBytes(long bytes) {
    return new TunerSetting(mergeThreads, flushThreads, bytes, io);
  }

  /** The same with the bandwidth split in another way. */
  public TunerSetting withIo(Io other) {
    return new TunerSetting(mergeThreads, flushThreads, memoryBytes, other);
  }

  /** The size of a component where levels are cut by key range: ADOC's batch size is both. */
  public long componentBytes() {
    return memoryBytes;
  }

  /** What the first of these levels holds. */
  public long levelBytes() {
    return Math.multiplyExact(LEVEL_COMPONENTS, memoryBytes);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(64);
    text.append(mergeThreads).append(" merge threads, ").append(flushThreads);
    text.append(" flush threads, memory components of ").append(megabytes(memoryBytes));
    if (io.bytesPerSecond < Io.UNLIMITED) {
      text.append(", ").append(megabytes(io.bytesPerSecond)).append("/s");
    }
    if (io.mergeBytesPerSecond < Io.UNLIMITED) {
      text.append(", merges ").append(megabytes(io.mergeBytesPerSecond)).append("/s");
    }
    return text.append(io.order == MergeOrder.LEVEL_ZERO_FIRST ? ", level 0 first" : "").toString();
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f MB", bytes / (double) (1 << 20));
  }
}
