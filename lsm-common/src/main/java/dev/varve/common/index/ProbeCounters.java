package dev.varve.common.index;

import dev.varve.common.page.StripedCounter;

/** Counts what point reads ask filters; see {@link StripedCounter}. Thread-safe. */
final class ProbeCounters {
  private static final int PROBES = 0;
  private static final int SKIPS = 1;

  private final StripedCounter counts = new StripedCounter();

  /** Counts probes, and how many of them spared a look at the component. */
  void count(int probes, int skips) {
    int stripe = StripedCounter.stripe();
    counts.add(stripe, PROBES, probes);
    counts.add(stripe, SKIPS, skips);
  }

  long probes() {
    return counts.sum(PROBES);
  }

  long skips() {
    return counts.sum(SKIPS);
  }
}
