package dev.varve.common.page;

/**
 * Counts of a few kinds of events that many threads see all the time. Threads count in stripes,
 * each in cache lines of its own and without atomic operations, which would cost as much as what is
 * counted; two threads in one stripe may lose counts. Thread-safe.
 */
public final class StripedCounter {
  private static final int STRIPES = 32;

  /** Longs from one stripe to the next: two cache lines, which processors fetch together. */
  private static final int STRIDE = 16;

  private final long[] counts = new long[(STRIPES + 1) * STRIDE];

  /** Nothing counted yet. */
  public StripedCounter() {}

  /** The calling thread's stripe. */
  public static int stripe() {
    return (int) (Thread.currentThread().getId() % STRIPES + 1) * STRIDE;
  }

  /**
   * Counts events.
   *
   * @param stripe the calling thread's
   * @param kind 0 to 15
   */
  public void add(int stripe, int kind, long events) {
    counts[stripe + kind] += events;
  }

  /** All events of a kind. */
  public long sum(int kind) {
    long sum = 0;
    for (int stripe = STRIDE; stripe < counts.length; stripe += STRIDE) {
      sum += counts[stripe + kind];
    }
    return sum;
  }
}
