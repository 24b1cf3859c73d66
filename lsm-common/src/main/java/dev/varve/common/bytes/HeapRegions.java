package dev.varve.common.bytes;

/**
 * The regions of which G1 makes a heap. An array that takes more than half of one gets whole
 * regions of its own, and is not moved; the others are copied until they are old. Thread-safe: no
 * state.
 */
public final class HeapRegions {
  private static final int REGIONS = 2048;
  private static final long LEAST_BYTES = 1 << 20;
  private static final long MOST_BYTES = 32 << 20;

  private HeapRegions() {}

  /** The longest that a region of this process' heap may be, in bytes, if its collector is G1. */
  public static int mostBytes() {
    return mostBytes(Runtime.getRuntime().maxMemory());
  }

  /**
   * The longest that a region may be: about a part in {@value #REGIONS} of the heap, a power of
   * two. Some releases of the JVM take half of it.
   *
   * @param heapBytes the largest heap, in bytes
   */
  static int mostBytes(long heapBytes) {
    long share = Math.min(heapBytes / REGIONS, MOST_BYTES);
    return (int) (share <= LEAST_BYTES ? LEAST_BYTES : 2 * Long.highestOneBit(share - 1));
  }
}
