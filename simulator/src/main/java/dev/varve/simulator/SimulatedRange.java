package dev.varve.simulator;

import dev.varve.common.merge.RangedComponent;

/**
 * A component that holds a range of the keys, as numbers. Its entries are spread evenly over its
 * range.
 *
 * @param stats as policies see it
 * @param from where its range begins
 * @param to where it ends, which is not in it
 * @param loaded initially loaded keys that were merged into it
 * @param updates updates that were merged into it
 */
record SimulatedRange(RangedComponent stats, long from, long to, double loaded, double updates) {
  long bytes() {
    return stats.bytes();
  }

  /** The part of its entries between two positions in its range. */
  double part(long begin, long end) {
    return (double) (end - begin) / (to - from);
  }
}
