package dev.varve.simulator.reproduction;

import static dev.varve.simulator.TwoPhaseEvaluation.PAPER_UTILIZATION;
import static dev.varve.simulator.reproduction.Outcomes.SMALL_SECONDS;
import static dev.varve.simulator.reproduction.Outcomes.text;

import dev.varve.simulator.reproduction.Claim.Finding;
import java.util.List;

/**
 * Figures 19 and 20: a policy whose throughput depends on how far behind it is (section 5.3), and
 * Figure 25: several trees under one budget (section 7). Stateless.
 */
final class SizeTieredFigures {
  private static final String SIZE_TIERED = "size-tiered(1.2, 2, 10) limit 51";
  private static final String FEWEST_INPUTS = "size-tiered(1.2, 2, 2) limit 51";

  /** Printed in section 5.3: what the testing phases took. */
  private static final double PRINTED_MAXIMUM = 17_008;

  private static final double PRINTED_MINIMUM = 8_863;

  private SizeTieredFigures() {}

  static List<Figure> all() {
    return List.of(unsustainable(), sustainable(), lazySecondaries());
  }

  private static Figure unsustainable() {
    return new Figure(
        "fig19",
        "Size-tiered at 95 % of what it took in a closed system",
        List.of(
            Run.testing("testing", SIZE_TIERED, "fair"),
            Run.testing("fair", SIZE_TIERED, "fair").at(PAPER_UTILIZATION, "testing"),
            Run.testing("greedy", SIZE_TIERED, "greedy").at(PAPER_UTILIZATION, "testing")),
        List.of(
            new Claim(
                "write stalls have occurred under fair",
                outcomes ->
                    new Finding(
                        outcomes.stalled("fair") > 0,
                        text(
                            "%.0f s of stalls, p99 %.1f s",
                            outcomes.stalled("fair"), outcomes.p99("fair")))),
            new Claim(
                "greedy avoids write stalls",
                outcomes ->
                    new Finding(
                        outcomes.stalled("greedy") == 0,
                        text(
                            "%.0f s of stalls, p99 %.1f s",
                            outcomes.stalled("greedy"), outcomes.p99("greedy")))),
            new Claim(
                "its number of components keeps increasing over time",
                outcomes -> {
                  double first = outcomes.componentsBetween("greedy", 0, 1 / 3.0);
                  double second = outcomes.componentsBetween("greedy", 1 / 3.0, 2 / 3.0);
                  double third = outcomes.componentsBetween("greedy", 2 / 3.0, 1);
                  return new Finding(
                      first < second && second < third,
                      text("by thirds of the time %.1f, %.1f, %.1f", first, second, third));
                }),
            new Claim(
                "55 merges of ten components in the testing phase, 24 in the running phase (fair)",
                outcomes -> {
                  long testing = outcomes.mergesOf("testing", 10);
                  long running = outcomes.mergesOf("fair", 10);
                  return new Finding(
                      running < 0.7 * testing, text("%d, then %d", testing, running));
                }),
            new Claim(
                "99.76 % of the merges under greedy involved no more than 4 components",
                outcomes -> {
                  double part = outcomes.partOfMergesUpTo("greedy", 4);
                  return new Finding(part > 0.95, text("%.2f %%", 100 * part));
                }),
            new Claim(
                text("the testing phase takes %,.0f records/s", PRINTED_MAXIMUM),
                outcomes -> absolute(outcomes.rate("testing"), PRINTED_MAXIMUM))));
  }

  private static Finding absolute(double found, double printed) {
    return new Finding(
        Math.abs(found / printed - 1) < 0.1,
        text("%,.0f records/s, %.2f times that", found, found / printed));
  }

  private static Figure sustainable() {
    return new Figure(
        "fig20",
        "Size-tiered at 95 % of what it took with merges of two components only",
        List.of(
            Run.testing("testing any", SIZE_TIERED, "fair"),
            Run.testing("any fair", SIZE_TIERED, "fair").at(PAPER_UTILIZATION, "testing any"),
            Run.testing("any greedy", SIZE_TIERED, "greedy").at(PAPER_UTILIZATION, "testing any"),
            Run.testing("testing", FEWEST_INPUTS, "fair"),
            Run.testing("fair", SIZE_TIERED, "fair").at(PAPER_UTILIZATION, "testing"),
            Run.testing("greedy", SIZE_TIERED, "greedy").at(PAPER_UTILIZATION, "testing")),
        List.of(
            new Claim(
                text(
                    "merging the minimum lowers the throughput to %,.0f records/s, %.2f of before",
                    PRINTED_MINIMUM, PRINTED_MINIMUM / PRINTED_MAXIMUM),
                outcomes -> {
                  double part = outcomes.rate("testing") / outcomes.rate("testing any");
                  return new Finding(
                      Math.abs(part - PRINTED_MINIMUM / PRINTED_MAXIMUM) < 0.15,
                      text("%,.0f records/s, %.2f of before", outcomes.rate("testing"), part));
                }),
            noStalls("fair"),
            noStalls("greedy"),
            stable("fair"),
            stable("greedy"),
            new Claim(
                "greedy still slightly reduces the number of components",
                outcomes ->
                    new Finding(
                        outcomes.components("greedy") < outcomes.components("fair"),
                        text(
                            "%.1f on average, fair %.1f",
                            outcomes.components("greedy"), outcomes.components("fair"))))));
  }

  private static Claim noStalls(String run) {
    return new Claim(
        run + ": no write stalls",
        outcomes ->
            new Finding(
                outcomes.stalled(run) == 0 && outcomes.p99(run) < SMALL_SECONDS,
                text("%.0f s of stalls, p99 %.3f s", outcomes.stalled(run), outcomes.p99(run))));
  }

  private static Claim stable(String run) {
    return new Claim(
        run + ": the number of components is more stable over time than in Figure 19",
        outcomes -> {
          double now = growth(outcomes, run);
          double before = growth(outcomes, "any " + run);
          return new Finding(
              now < before && outcomes.of(run).components().most() < 51,
              text(
                  "from the first third of the time to the last %+.1f, before %+.1f; at most %d",
                  now, before, outcomes.of(run).components().most()));
        });
  }

  private static double growth(Outcomes outcomes, String run) {
    return outcomes.componentsBetween(run, 2 / 3.0, 1)
        - outcomes.componentsBetween(run, 0, 1 / 3.0);
  }

  private static Figure lazySecondaries() {
    String policy = "tiering(3)";
    return new Figure(
        "fig25",
        "A primary and two secondary indexes, maintained lazily, under one budget",
        List.of(
            Run.testing("primary alone", policy, "fair"),
            Run.testing("testing", policy, "fair").withSecondaries(2),
            Run.testing("fair", policy, "fair").withSecondaries(2).at(PAPER_UTILIZATION, "testing"),
            Run.testing("greedy", policy, "greedy")
                .withSecondaries(2)
                .at(PAPER_UTILIZATION, "testing")),
        List.of(
            noStalls("fair"),
            noStalls("greedy"),
            new Claim(
                "greedy reduces the number of components, as with one tree",
                outcomes ->
                    new Finding(
                        outcomes.components("greedy") < outcomes.components("fair"),
                        text(
                            "%.1f on average, fair %.1f",
                            outcomes.components("greedy"), outcomes.components("fair")))),
            new Claim(
                "the testing phase takes 9,731 records/s",
                outcomes -> absolute(outcomes.rate("testing"), 9_731))));
  }
}
