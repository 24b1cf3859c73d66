package dev.varve.common.index;

/**
 * Counts what point reads ask filters. Threads count in stripes, each in cache lines of its own and
 * without atomic operations, which would cost as much as the probes; two threads in one stripe may
 * lose counts. Thread-safe.
 */
final class ProbeCounters {
  private static final int STRIPES = 32;

  /** Longs from one stripe to the next: two cache lines, which processors fetch together. */
  private static final int STRIDE = 16;

  private final long[] counts = new long[(STRIPES + 1) * STRIDE];

  /** Counts probes, and how many of them spared a look at the component. */
  void count(int probes, int skips) {
    int stripe = (int) (Thread.currentThread().getId() % STRIPES + 1) * STRIDE;
    counts[stripe] += probes;
    counts[stripe + 1] += skips;
  }

  long probes() {
    return sum(0);
  }

  long skips() {
    return sum(1);
  }

  private long sum(int offset) {
    long sum = 0;
    for (int stripe = STRIDE; stripe < counts.length; stripe += STRIDE) {
      sum += counts[stripe + offset];
    }
    return sum;
  }
}
