package dev.varve.common.index;

import dev.varve.common.page.StripedCounts;

/** Counts what point reads ask filters; see {@link StripedCounts}. Thread-safe. */
final class ProbeCounters {
  private static final int PROBES = 0;
  private static final int SKIPS = 1;

  private final StripedCounts counts = new StripedCounts();

  /** Counts probes, and how many of them spared a look at the component. */
  void count(int probes, int skips) {
    int stripe = StripedCounts.stripe();
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
