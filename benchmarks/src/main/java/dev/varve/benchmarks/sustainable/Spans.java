package dev.varve.benchmarks.sustainable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Stretches of time in the order of their beginnings, without overlaps. Immutable.
 *
 * @param all of them
 */
record Spans(List<Span> all) {
  /**
   * A stretch of time.
   *
   * @param beginNanos its beginning
   * @param endNanos its end
   */
  record Span(long beginNanos, long endNanos) {}

  /** Stretches in any order; what overlaps becomes one. */
  Spans {
    List<Span> sorted = new ArrayList<>(all);
    sorted.sort(Comparator.comparingLong(Span::beginNanos));
    List<Span> apart = new ArrayList<>();
    for (Span span : sorted) {
      Span last = apart.isEmpty() ? null : apart.get(apart.size() - 1);
      if (last != null && span.beginNanos <= last.endNanos) {
        long end = Math.max(last.endNanos, span.endNanos);
        apart.set(apart.size() - 1, new Span(last.beginNanos, end));
      } else {
        apart.add(span);
      }
    }
    all = List.copyOf(apart);
  }

  /** How long stretches of both last at the same time. */
  long commonNanos(Spans others) {
    long common = 0;
    int mine = 0;
    int other = 0;
    while (mine < all.size() && other < others.all.size()) {
      Span one = all.get(mine);
      Span two = others.all.get(other);
      long begin = Math.max(one.beginNanos, two.beginNanos);
      common += Math.max(0, Math.min(one.endNanos, two.endNanos) - begin);
      if (one.endNanos < two.endNanos) {
        mine++;
      } else {
        other++;
      }
    }
    return common;
  }
}
