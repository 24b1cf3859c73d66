package dev.varve.scheduler.tuner;

import java.util.List;

/**
 * The data flow of a node over one window, a second unless the observer was late (ADOC, section 5).
 * Rates are means over the window, what waits is as of its end.
 *
 * @param seconds how long the window was, above 0
 * @param indexes what waits in each index
 * @param memory memory components and their flushes
 * @param rates what moved
 * @param busy what was in use
 * @param stalls how long writers were held back
 */
public record FlowObservation(
    double seconds, List<IndexFlow> indexes, Memory memory, Rates rates, Busy busy, Stalls stalls) {
  /** Copies the list. */
  public FlowObservation {
    indexes = List.copyOf(indexes);
    if (!(seconds > 0)) {
      throw new IllegalArgumentException("a window of " + seconds + " s");
    }
  }

  /**
   * Memory components in the window, all indexes together.
   *
   * @param flushes flushes that ended
   * @param overflows how many times a memory component was full before the one that was sealed
   *     before it had been flushed, or writers still wait for that
   * @param sealToFlushedSeconds mean time from the seal to the end of the flush, of those that
   *     ended; 0 when none did
   */
  public record Memory(int flushes, int overflows, double sealToFlushedSeconds) {}

  /**
   * Means over the window, each per second.
   *
   * @param writtenBytes what writers put into memory
   * @param flushedBytes what flushes wrote
   * @param mergeReadBytes what merges read
   * @param mergedBytes what merges wrote
   * @param writes operations that wrote
   * @param reads operations that read
   */
  public record Rates(
      double writtenBytes,
      double flushedBytes,
      double mergeReadBytes,
      double mergedBytes,
      double writes,
      double reads) {}

  /**
   * What was in use, as parts from 0 to 1 or as mean numbers of threads.
   *
   * @param device the part of the device's bandwidth, or of the I/O budget where there is one
   * @param limiterDrained the part of the time in which flushes or merges waited for the I/O budget
   * @param cpu the part of the node's processors
   * @param mergeThreads merge threads that had a merge
   * @param flushThreads flush threads that had a flush
   */
  public record Busy(
      double device, double limiterDrained, double cpu, double mergeThreads, double flushThreads) {}

  /**
   * Seconds of the window in which writers were stopped or slowed down, in the paper's three
   * classes (section 2.3).
   *
   * @param memory every memory component was full: MT
   * @param level0 level 0 had too many components: L0
   * @param pendingBytes too much waited for merges: PS
   */
  public record Stalls(double memory, double level0, double pendingBytes) {
    /** Nobody was held back. */
    public static final Stalls NONE = new Stalls(0, 0, 0);

    /** All together. */
    public double seconds() {
      return memory + level0 + pendingBytes;
    }
  }

  /** What waits for merges, of all indexes together. */
  public long pendingBytes() {
    return indexes.stream().mapToLong(IndexFlow::pendingBytes).sum();
  }

  /** What replaced and deleted versions take, of all indexes together. */
  public long obsoleteBytes() {
    return indexes.stream().mapToLong(IndexFlow::obsoleteBytes).sum();
  }
}
