package dev.varve.simulator.reproduction;

import static dev.varve.simulator.TwoPhaseEvaluation.PAPER_UTILIZATION;
import static dev.varve.simulator.reproduction.Outcomes.SMALL_SECONDS;
import static dev.varve.simulator.reproduction.Outcomes.text;

import dev.varve.simulator.SimulatedNode;
import dev.varve.simulator.reproduction.Claim.Finding;
import java.util.ArrayList;
import java.util.List;

/**
 * Figures 8 to 13: tiering and leveling with full merges (section 5.2). Stateless.
 *
 * <p>The constraint is twice the expected number of components, 2·3·8 for tiering and 2·3 for
 * leveling. So many may be there; writers stop when there is one more, which is the limit here.
 * Where leveling is concerned that one matters: with a limit of 6 greedy has stalls, too.
 */
final class FullMergeFigures {
  private static final String TIERING = "tiering(3) limit 49";
  private static final String LEVELING = "leveling(10, 134217728, fixed) limit 7";
  private static final List<String> SCHEDULERS = List.of("single", "fair", "greedy");

  /** A stall of this length is a pause that a plot of 30 s windows shows. */
  private static final double LONG_PAUSE_SECONDS = 60;

  private FullMergeFigures() {}

  static List<Figure> all() {
    return List.of(
        testingPhase(), runningTiering(), runningLeveling(), sizeRatios(), constraints(), bursts());
  }

  private static Figure testingPhase() {
    List<Run> runs = new ArrayList<>();
    for (String scheduler : SCHEDULERS) {
      runs.add(Run.testing("tiering " + scheduler, TIERING, scheduler));
    }
    for (String scheduler : SCHEDULERS) {
      runs.add(Run.testing("leveling " + scheduler, LEVELING, scheduler));
    }
    runs.add(Run.testing("leveling greedy, 4 h", LEVELING, "greedy").lasting(4));
    List<Claim> claims = new ArrayList<>();
    for (String policy : List.of("tiering", "leveling")) {
      claims.add(
          new Claim(
              policy + ": the single-threaded scheduler regularly exhibits long pauses",
              outcomes -> {
                long silent = outcomes.silentWindows(policy + " single");
                double longest = outcomes.of(policy + " single").stalls().longestSeconds();
                return new Finding(
                    silent > 5 && longest > LONG_PAUSE_SECONDS,
                    text("%d of 200 windows without a write, a pause of %.0f s", silent, longest));
              }));
      claims.add(
          new Claim(
              policy + ": fair exhibits a relatively stable throughput over time",
              outcomes -> {
                double fair = outcomes.slowest(policy + " fair", 10);
                double single = outcomes.slowest(policy + " single", 10);
                return new Finding(
                    fair > 0.5 && single < fair / 2,
                    text(
                        "its slowest ten minutes have %.0f %% of the mean, those of single %.0f %%",
                        100 * fair, 100 * single));
              }));
      claims.add(
          new Claim(
              policy + ": greedy appears to achieve a higher throughput by starving large merges",
              outcomes -> {
                double fair = outcomes.rate(policy + " fair");
                double greedy = outcomes.rate(policy + " greedy");
                return new Finding(
                    greedy > fair, text("%,.0f records/s, fair %,.0f", greedy, fair));
              }));
    }
    claims.add(
        new Claim(
            "tiering: the higher throughput of greedy drops slightly when no small merges can be"
                + " scheduled",
            outcomes -> {
              double greedy = outcomes.slowest("tiering greedy", 2);
              return new Finding(
                  greedy < 0.8,
                  text("its slowest two minutes have %.0f %% of the mean", 100 * greedy));
            }));
    claims.add(
        new Claim(
            "leveling: greedy has a long pause in the end (6000 s to 7000 s), when no small merges"
                + " can be scheduled",
            outcomes -> {
              double longest = outcomes.of("leveling greedy").stalls().longestSeconds();
              double later = outcomes.of("leveling greedy, 4 h").stalls().longestSeconds();
              return new Finding(
                  longest > LONG_PAUSE_SECONDS * 5,
                  text("its longest pause takes %.0f s, in four hours %.0f s", longest, later));
            }));
    return new Figure("fig8", "Testing phase: write throughput over time", runs, claims);
  }

  private static List<Run> twoPhases(String policy) {
    List<Run> runs = new ArrayList<>();
    runs.add(Run.testing("testing", policy, "fair"));
    for (String scheduler : SCHEDULERS) {
      runs.add(Run.testing(scheduler, policy, scheduler).at(PAPER_UTILIZATION, "testing"));
    }
    return runs;
  }

  private static Claim noStalls(String paper, String run) {
    return new Claim(
        paper,
        outcomes ->
            new Finding(
                outcomes.stalled(run) == 0 && outcomes.p99(run) < SMALL_SECONDS,
                text(
                    "%.0f s of stalls, p99 %.3f s, at most %d components of %d",
                    outcomes.stalled(run),
                    outcomes.p99(run),
                    outcomes.of(run).components().most(),
                    outcomes.of(run).components().limit() - 1)));
  }

  private static Claim stalls(String paper, String run) {
    return new Claim(
        paper,
        outcomes ->
            new Finding(
                outcomes.stalled(run) > 0 && outcomes.p99(run) > SMALL_SECONDS,
                text("%.0f s of stalls, p99 %.1f s", outcomes.stalled(run), outcomes.p99(run))));
  }

  private static Claim fewestComponents() {
    return new Claim(
        "greedy minimizes the number of components over time",
        outcomes ->
            new Finding(
                outcomes.components("greedy") < outcomes.components("fair")
                    && outcomes.partWithFewerComponents("greedy", "fair") > 0.9,
                text(
                    "%.1f on average, fair %.1f; at most as many in %.0f %% of the windows",
                    outcomes.components("greedy"),
                    outcomes.components("fair"),
                    100 * outcomes.partWithFewerComponents("greedy", "fair"))));
  }

  private static Figure runningTiering() {
    return new Figure(
        "fig9",
        "Running phase of tiering at 95 % of what fair took",
        twoPhases(TIERING),
        List.of(
            noStalls("fair: stable throughput, never at the threshold, small latencies", "fair"),
            noStalls(
                "greedy: stable throughput, never at the threshold, small latencies", "greedy"),
            fewestComponents(),
            stalls("single: a large number of write stalls, large latencies", "single")));
  }

  private static Figure runningLeveling() {
    return new Figure(
        "fig10",
        "Running phase of leveling at 95 % of what fair took",
        twoPhases(LEVELING),
        List.of(
            stalls("single performs poorly: a lot of stalls, large write latencies", "single"),
            stalls(
                "fair alone cannot provide a stable throughput; relatively large latencies",
                "fair"),
            noStalls("greedy avoids write stalls, small write latencies", "greedy"),
            fewestComponents()));
  }

  private static Figure sizeRatios() {
    List<Run> runs = new ArrayList<>();
    for (int ratio = 2; ratio <= 10; ratio++) {
      for (String policy : List.of("tiering", "leveling")) {
        String name = policy + " " + ratio;
        String text = policy + "(" + ratio + ") limit " + limit(policy, ratio);
        runs.add(Run.testing(name, text, "fair"));
        runs.add(Run.testing(name + " fair", text, "fair").at(PAPER_UTILIZATION, name));
        runs.add(Run.testing(name + " greedy", text, "greedy").at(PAPER_UTILIZATION, name));
      }
    }
    return new Figure(
        "fig11",
        "Size ratios: maximum throughput, and 99th percentiles at 95 % of it",
        runs,
        List.of(
            new Claim(
                "a larger size ratio increases the throughput of tiering",
                outcomes ->
                    new Finding(
                        outcomes.rate("tiering 10") > 1.2 * outcomes.rate("tiering 2"),
                        rates(outcomes, "tiering"))),
            new Claim(
                "a larger size ratio decreases the throughput of leveling",
                outcomes ->
                    new Finding(
                        outcomes.rate("leveling 10") < 0.8 * outcomes.rate("leveling 2"),
                        rates(outcomes, "leveling"))),
            smallLatencies("tiering: small write latencies under fair", "tiering", " fair"),
            smallLatencies("tiering: small write latencies under greedy", "tiering", " greedy"),
            new Claim(
                "leveling: fair causes large write latencies when the size ratio becomes larger",
                outcomes ->
                    new Finding(
                        worst(outcomes, "leveling", " fair") > SMALL_SECONDS
                            && outcomes.p99("leveling 10 fair") > outcomes.p99("leveling 2 fair"),
                        latencies(outcomes, "leveling", " fair"))),
            smallLatencies(
                "leveling: greedy is always able to provide small latencies",
                "leveling",
                " greedy")));
  }

  /** One more than twice the expected number of components: 48 and 6 for the ratios above. */
  private static int limit(String policy, int ratio) {
    double flushes = 100_000_000.0 * 1024 / Run.NODE.memoryBytes();
    int powers = (int) Math.ceil(Math.log(flushes) / Math.log(ratio));
    return 1 + 2 * (policy.equals("tiering") ? ratio * (powers + 1) : powers);
  }

  private static Claim smallLatencies(String paper, String policy, String scheduler) {
    return new Claim(
        paper,
        outcomes ->
            new Finding(
                worst(outcomes, policy, scheduler) < SMALL_SECONDS,
                latencies(outcomes, policy, scheduler)));
  }

  private static double worst(Outcomes outcomes, String policy, String scheduler) {
    double worst = 0;
    for (int ratio = 2; ratio <= 10; ratio++) {
      worst = Math.max(worst, outcomes.p99(policy + " " + ratio + scheduler));
    }
    return worst;
  }

  private static String latencies(Outcomes outcomes, String policy, String scheduler) {
    StringBuilder found = new StringBuilder("p99 for 2 to 10:");
    for (int ratio = 2; ratio <= 10; ratio++) {
      found.append(text(" %.2f", outcomes.p99(policy + " " + ratio + scheduler)));
    }
    return found + " s";
  }

  private static String rates(Outcomes outcomes, String policy) {
    StringBuilder found = new StringBuilder("records/s for 2 to 10:");
    for (int ratio = 2; ratio <= 10; ratio++) {
      found.append(text(" %,.0f", outcomes.rate(policy + " " + ratio)));
    }
    return found.toString();
  }

  private static Figure constraints() {
    List<Run> runs = new ArrayList<>();
    String leveling = LEVELING.substring(0, LEVELING.indexOf(" limit"));
    runs.add(Run.testing("tiering", TIERING, "fair"));
    runs.add(Run.testing("leveling", LEVELING, "fair"));
    for (String scheduler : List.of("fair", "greedy")) {
      runs.add(
          Run.testing("tiering global " + scheduler, TIERING, scheduler)
              .at(PAPER_UTILIZATION, "tiering"));
      runs.add(
          Run.testing("tiering local " + scheduler, "tiering(3) limit local", scheduler)
              .at(PAPER_UTILIZATION, "tiering"));
      runs.add(
          Run.testing("leveling global " + scheduler, LEVELING, scheduler)
              .at(PAPER_UTILIZATION, "leveling"));
      runs.add(
          Run.testing("leveling local " + scheduler, leveling + " limit local", scheduler)
              .at(PAPER_UTILIZATION, "leveling"));
    }
    return new Figure(
        "fig12",
        "Global and local component constraints, at 95 % of what fair took under the global one",
        runs,
        List.of(
            new Claim(
                "local constraints have little impact on tiering",
                outcomes ->
                    new Finding(
                        outcomes.p99("tiering local fair") < SMALL_SECONDS
                            && outcomes.p99("tiering local greedy") < SMALL_SECONDS,
                        text(
                            "p99 fair %.3f s, greedy %.3f s",
                            outcomes.p99("tiering local fair"),
                            outcomes.p99("tiering local greedy")))),
            localIsWorse("fair"),
            localIsWorse("greedy"),
            new Claim(
                "local constraints have a larger negative impact on greedy",
                outcomes -> {
                  double fair = outcomes.p99("leveling local fair");
                  double fairBefore = outcomes.p99("leveling global fair");
                  double greedy = outcomes.p99("leveling local greedy");
                  double greedyBefore = outcomes.p99("leveling global greedy");
                  return new Finding(
                      greedy / greedyBefore > fair / fairBefore,
                      text(
                          "p99 from %.3f s to %.1f s, under fair from %.1f s to %.1f s",
                          greedyBefore, greedy, fairBefore, fair));
                })));
  }

  private static Claim localIsWorse(String scheduler) {
    return new Claim(
        "leveling, " + scheduler + ": latencies become much larger with local constraints",
        outcomes -> {
          double local = outcomes.p99("leveling local " + scheduler);
          double global = outcomes.p99("leveling global " + scheduler);
          return new Finding(
              local > 2 * global && local > SMALL_SECONDS,
              text("p99 %.1f s, global %.3f s", local, global));
        });
  }

  private static Figure bursts() {
    SimulatedNode paper = Run.NODE;
    SimulatedNode limited =
        new SimulatedNode(
            paper.memoryBytes(),
            paper.memoryComponents(),
            paper.budgetBytesPerSecond(),
            4000,
            paper.writers(),
            paper.rules());
    Run run = Run.testing("no limit", LEVELING, "greedy").arriving("burst:2000x1500,8000x300");
    return new Figure(
        "fig13",
        "Bursts of 8,000 records/s under leveling: memory as fast as it can, and limited to 4,000/s",
        List.of(
            run,
            Run.testing("limit", LEVELING, "greedy")
                .arriving("burst:2000x1500,8000x300")
                .on(limited),
            Run.testing("stop at 6", LEVELING.replace("limit 7", "limit 6"), "greedy")
                .arriving("burst:2000x1500,8000x300")),
        List.of(
            new Claim(
                "without a limit there are occasional write stalls",
                outcomes ->
                    new Finding(
                        outcomes.stalled("no limit") > 0,
                        text(
                            "%.0f s of stalls; %.0f s when writers stop one component earlier",
                            outcomes.stalled("no limit"), outcomes.stalled("stop at 6")))),
            new Claim(
                "the limit avoids write stalls, the throughput is more stable",
                outcomes ->
                    new Finding(
                        outcomes.stalled("limit") == 0
                            && outcomes.variation("limit") < outcomes.variation("no limit"),
                        text(
                            "%.0f s of stalls; throughput varies by %.0f %%, without by %.0f %%",
                            outcomes.stalled("limit"),
                            100 * outcomes.variation("limit"),
                            100 * outcomes.variation("no limit")))),
            new Claim(
                "the limit causes larger write latencies",
                outcomes ->
                    new Finding(
                        outcomes.p99("limit") > outcomes.p99("no limit"),
                        text(
                            "p99 %.1f s, without %.1f s; mean %.1f s, without %.1f s",
                            outcomes.p99("limit"),
                            outcomes.p99("no limit"),
                            outcomes.of("limit").writeLatency().mean(),
                            outcomes.of("no limit").writeLatency().mean())))));
  }
}
