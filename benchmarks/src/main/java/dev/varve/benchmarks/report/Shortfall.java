package dev.varve.benchmarks.report;

import dev.varve.benchmarks.measure.Measurement;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Why a goal is missed, as far as the figures of the phase say it: what a store spends more of than
 * the peer that sets the bound.
 *
 * @param metric the figure that is missed
 * @param own what the store took
 * @param peer the name of the peer
 * @param theirs what the peer took
 */
record Shortfall(Metric metric, Measurement own, String peer, Measurement theirs) {
  private static final List<Metric> SPENT =
      List.of(Metric.CPU, Metric.READ, Metric.WRITTEN, Metric.P50, Metric.LONGEST);

  /** A figure that is larger by less than this is no cause. */
  private static final double NOTABLE = 1.1;

  private static final int MOST = 3;

  /** One line. */
  String line() {
    String causes =
        SPENT.stream()
            .filter(each -> each != metric && ratio(each) >= NOTABLE && isSeen(each))
            .sorted(Comparator.comparingDouble(this::ratio).reversed())
            .limit(MOST)
            .map(
                each ->
                    "%s %s to %s"
                        .formatted(
                            each.label(), Metric.text(each.of(own)), Metric.text(each.of(theirs))))
            .collect(Collectors.joining(", "));
    return causes.isEmpty()
        ? "no time or byte of an operation is more than %s's".formatted(peer)
        : "beside %s: %s".formatted(peer, causes);
  }

  /** Whether the two figures differ as they are printed. */
  private boolean isSeen(Metric each) {
    return !Metric.text(each.of(own)).equals(Metric.text(each.of(theirs)));
  }

  private double ratio(Metric each) {
    double less = each.of(theirs);
    double more = each.of(own);
    return less > 0 ? more / less : more > 0 ? Double.POSITIVE_INFINITY : 1;
  }
}
