package dev.varve.simulator.reproduction;

import static dev.varve.simulator.TwoPhaseEvaluation.PAPER_UTILIZATION;
import static dev.varve.simulator.reproduction.Outcomes.text;

import dev.varve.simulator.SimulatedNode;
import dev.varve.simulator.reproduction.Claim.Finding;
import java.util.ArrayList;
import java.util.List;

/**
 * Figure 6: bLSM's spring and gear (section 4.2), with a memory component of 1 GB, a size ratio of
 * 10 and eight writers. Stateless.
 *
 * <p>A level is full with 9.5 memory components, which is what the gear is told. The spring slows
 * writers down once half of the memory is taken by what is written and what is being merged.
 */
final class BlsmFigures {
  private static final String POLICY = "blsm(10, 1g) from memory";
  private static final String GEAR = "gear(9728m)";
  private static final String SPRING = "spring(0.5, 60m)";

  private BlsmFigures() {}

  static List<Figure> all() {
    List<Run> runs = new ArrayList<>();
    List<Claim> claims = new ArrayList<>();
    for (String keys : List.of("uniform", "zipf")) {
      Run testing = run(keys + " testing");
      Run running = run(keys).at(PAPER_UTILIZATION, keys + " testing");
      runs.add(keys.equals("zipf") ? testing.zipf() : testing);
      runs.add(keys.equals("zipf") ? running.zipf() : running);
      claims.addAll(claims(keys));
    }
    claims.add(
        new Claim(
            "zipf updates increase the throughput",
            outcomes ->
                new Finding(
                    outcomes.rate("zipf testing") > outcomes.rate("uniform testing"),
                    text(
                        "%,.0f records/s, uniform %,.0f",
                        outcomes.rate("zipf testing"), outcomes.rate("uniform testing")))));
    return List.of(new Figure("fig6", "bLSM's spring and gear", runs, claims));
  }

  private static Run run(String name) {
    SimulatedNode paper = Run.NODE;
    return Run.testing(name, POLICY, GEAR)
        .on(
            new SimulatedNode(
                1L << 30,
                paper.memoryComponents(),
                paper.budgetBytesPerSecond(),
                paper.recordsPerSecond(),
                8,
                paper.rules()))
        .behind(SPRING);
  }

  private static List<Claim> claims(String keys) {
    String testing = keys + " testing";
    return List.of(
        new Claim(
            keys + ": the scheduler prevents writes from being stalled",
            outcomes ->
                new Finding(
                    outcomes.stalled(testing) == 0 && outcomes.stalled(keys) == 0,
                    text(
                        "%.0f s of stalls when measured, %.0f s at 95 %%",
                        outcomes.stalled(testing), outcomes.stalled(keys)))),
        new Claim(
            keys + ": the throughput has a large variance with regular temporary peaks",
            outcomes -> {
              double variation = outcomes.variation(testing);
              long peaks = outcomes.peaks(testing, 1.4);
              return new Finding(
                  variation > 0.2 && peaks >= 3,
                  text(
                      "it varies by %.0f %%; %d times it rises above 1.4 times the mean",
                      100 * variation, peaks));
            }),
        new Claim(
            keys + ": at 95 % it is sustained for an initial period, and slows down later",
            outcomes -> {
              double until = outcomes.firstBelowArrival(keys);
              double queued = outcomes.largestQueue(keys);
              return new Finding(
                  until > 1200 && Double.isFinite(until),
                  text("as it arrives for %.0f s; then up to %,.0f writes queue", until, queued));
            }),
        new Claim(
            keys + ": the processing latency is bounded, the write latency is much larger",
            outcomes -> {
              double processing = outcomes.of(keys).processingLatency().p99();
              return new Finding(
                  processing < 0.1 && outcomes.p99(keys) > 100 * processing,
                  text("p99 %.1f ms and %.1f s", 1000 * processing, outcomes.p99(keys)));
            }));
  }
}
