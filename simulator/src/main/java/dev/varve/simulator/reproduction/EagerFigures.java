package dev.varve.simulator.reproduction;

import static dev.varve.simulator.TwoPhaseEvaluation.PAPER_UTILIZATION;
import static dev.varve.simulator.reproduction.Outcomes.SMALL_SECONDS;
import static dev.varve.simulator.reproduction.Outcomes.text;

import dev.varve.simulator.SimulatedNode;
import dev.varve.simulator.WriterRules;
import dev.varve.simulator.reproduction.Claim.Finding;
import dev.varve.simulator.reproduction.Run.Secondaries;
import dev.varve.simulator.reproduction.Run.Upkeep;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Figures 26 and 27: secondary indexes that are maintained eagerly (section 7). Each write looks
 * its old record up first, and those reads compete with merges for the device. Stateless.
 */
final class EagerFigures {
  private static final String POLICY = "tiering(3)";

  /** Components of the paper have filters with this rate of false positives. */
  private static final double FALSE_POSITIVES = 0.01;

  /**
   * Merges that write 100 MB/s and read as much take this part of a SATA SSD that does 490 MB/s,
   * which is what the ADOC paper measured of one.
   */
  private static final double BUSY_PART = 0.41;

  /**
   * The one number that is fitted: with it the testing phase takes what the paper's did, 7,601
   * records/s.
   */
  private static final double READ_SECONDS = 515e-6;

  private static final int WRITERS = 8;

  private static final List<Integer> PERCENT = List.of(50, 60, 70, 80, 85, 90, 95);

  private EagerFigures() {}

  static List<Figure> all() {
    return List.of(running(), utilizations());
  }

  private static Run eager(String name, String scheduler) {
    SimulatedNode paper = Run.NODE;
    return Run.testing(name, POLICY, scheduler)
        .with(new Secondaries(2, Upkeep.EAGER, Run.SECONDARY_ENTRY_BYTES))
        .on(
            new SimulatedNode(
                paper.memoryBytes(),
                paper.memoryComponents(),
                paper.budgetBytesPerSecond(),
                paper.recordsPerSecond(),
                WRITERS,
                new WriterRules(
                    paper.rules().limitCounts(),
                    Optional.of(
                        new WriterRules.Lookup(READ_SECONDS, FALSE_POSITIVES, BUSY_PART)))));
  }

  private static Figure running() {
    List<Run> runs = new ArrayList<>();
    runs.add(Run.testing("lazy testing", POLICY, "fair").withSecondaries(2));
    runs.add(
        Run.testing("lazy fair", POLICY, "fair")
            .withSecondaries(2)
            .at(PAPER_UTILIZATION, "lazy testing"));
    runs.add(eager("testing", "fair"));
    runs.add(eager("fair", "fair").at(PAPER_UTILIZATION, "testing"));
    runs.add(eager("greedy", "greedy").at(PAPER_UTILIZATION, "testing"));
    return new Figure(
        "fig26",
        "A primary and two secondary indexes, maintained eagerly, at 95 % of what fair took",
        runs,
        List.of(
            new Claim(
                "the throughput is bounded by point lookups, not by merges",
                outcomes -> {
                  double stalled = outcomes.stalled("testing");
                  return new Finding(
                      stalled < 0.05 * outcomes.of("testing").setting().seconds(),
                      text(
                          "%,.0f records/s in the testing phase, %.0f s of stalls, %.0f %% of the"
                              + " budget used; lazily %,.0f records/s",
                          outcomes.rate("testing"),
                          stalled,
                          100 * outcomes.of("testing").io().busyPart(),
                          outcomes.rate("lazy testing")));
                }),
            new Claim(
                "there are regular fluctuations in the write throughput, unlike lazily",
                outcomes ->
                    new Finding(
                        outcomes.variation("fair") > 0.02
                            && outcomes.variation("fair") > 2 * outcomes.variation("lazy fair"),
                        text(
                            "it varies by %.1f %% under fair, %.1f %% under greedy; lazily %.1f %%",
                            100 * outcomes.variation("fair"),
                            100 * outcomes.variation("greedy"),
                            100 * outcomes.variation("lazy fair")))),
            new Claim(
                "that results in larger write latencies than lazily",
                outcomes ->
                    new Finding(
                        outcomes.p99("fair") > SMALL_SECONDS
                            && outcomes.p99("lazy fair") < SMALL_SECONDS,
                        text(
                            "p99 %.1f s, lazily %.3f s",
                            outcomes.p99("fair"), outcomes.p99("lazy fair")))),
            new Claim(
                "greedy still has lower write latencies",
                outcomes ->
                    new Finding(
                        outcomes.p99("greedy") < outcomes.p99("fair"),
                        text(
                            "p99 %.1f s, fair %.1f s; %.1f components on average, fair %.1f",
                            outcomes.p99("greedy"),
                            outcomes.p99("fair"),
                            outcomes.components("greedy"),
                            outcomes.components("fair"))))));
  }

  private static Figure utilizations() {
    List<Run> runs = new ArrayList<>();
    runs.add(eager("testing", "fair"));
    List<Claim> claims = new ArrayList<>();
    for (String scheduler : List.of("fair", "greedy")) {
      for (int percent : PERCENT) {
        runs.add(eager(scheduler + " " + percent, scheduler).at(percent / 100.0, "testing"));
      }
      claims.add(
          new Claim(
              scheduler
                  + ": the latency becomes relatively small once the utilization is below 80 %",
              outcomes -> {
                StringBuilder found = new StringBuilder("p99 at 50, 60, 70, 80, 85, 90, 95 %:");
                for (int percent : PERCENT) {
                  found.append(text(" %.2f", outcomes.p99(scheduler + " " + percent)));
                }
                return new Finding(
                    outcomes.p99(scheduler + " 70") < SMALL_SECONDS
                        && outcomes.p99(scheduler + " 95") > SMALL_SECONDS,
                    found.append(" s").toString());
              }));
    }
    return new Figure(
        "fig27", "99th percentiles of eager writes at several utilizations", runs, claims);
  }
}
