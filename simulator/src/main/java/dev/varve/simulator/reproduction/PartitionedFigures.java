package dev.varve.simulator.reproduction;

import static dev.varve.simulator.TwoPhaseEvaluation.PAPER_UTILIZATION;
import static dev.varve.simulator.reproduction.Outcomes.SMALL_SECONDS;
import static dev.varve.simulator.reproduction.Outcomes.text;

import dev.varve.simulator.reproduction.Claim.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Figures 21 to 24: partitioned leveling under LevelDB's single thread (section 6). Stateless. */
final class PartitionedFigures {
  private static final List<String> SELECTIONS = List.of("round-robin", "best");

  /** Sizes of components that Figure 24 goes through, in its unit. */
  private static final List<Integer> MEGABYTES = List.of(8, 64, 512, 4096, 32768);

  /** What the text of Figure 21 says: stalls start to occur after this time. */
  private static final double FIRST_STALL_SECONDS = 6000;

  /** The stop threshold over the least number of flushed components to merge: 12 and 4. */
  private static final double GROWTH = 3;

  private PartitionedFigures() {}

  static List<Figure> all() {
    return List.of(unsustainable(), shapes(), sustainable(), sizes());
  }

  private static String policy(int megabytes, String selection, String taking) {
    return "partitioned-leveling(10, 1280m, "
        + megabytes
        + "m, 4"
        + (selection.equals("best") ? ", best" : "")
        + taking
        + ") limit 12";
  }

  private static String any(String selection) {
    return policy(64, selection, "");
  }

  private static String exact(String selection) {
    return policy(64, selection, ", exact");
  }

  private static Figure unsustainable() {
    List<Run> runs = new ArrayList<>();
    List<Claim> claims = new ArrayList<>();
    for (String selection : SELECTIONS) {
      String testing = selection + " testing";
      runs.add(Run.testing(testing, any(selection), "single"));
      runs.add(Run.testing(selection, any(selection), "single").at(PAPER_UTILIZATION, testing));
      claims.add(
          new Claim(
              selection + ": the throughput of the testing phase decreases over time",
              outcomes -> {
                double first = outcomes.rateBetween(testing, 1 / 6.0, 3 / 6.0);
                double last = outcomes.rateBetween(testing, 4 / 6.0, 1);
                return new Finding(
                    last < 0.9 * first,
                    text("%,.0f records/s after the warm-up, %,.0f in the end", first, last));
              }));
      claims.add(
          new Claim(
              selection + ": write stalls occur at 95 % of it, so it is not sustainable",
              outcomes ->
                  new Finding(
                      outcomes.stalled(selection) > 0 && outcomes.p99(selection) > SMALL_SECONDS,
                      text(
                          "%.0f s of stalls, p99 %.1f s",
                          outcomes.stalled(selection), outcomes.p99(selection)))));
      claims.add(
          new Claim(
              selection + ": they start to occur after 6000 s",
              outcomes ->
                  new Finding(
                      outcomes.firstStall(selection) > FIRST_STALL_SECONDS,
                      text(
                          "the first after %.0f s, half of their time after %.0f s",
                          outcomes.firstStall(selection), outcomes.halfOfStalls(selection)))));
    }
    claims.add(
        new Claim(
            "the selection strategies have little impact on the overall throughput",
            outcomes -> {
              double round = outcomes.rate("round-robin testing");
              double best = outcomes.rate("best testing");
              return new Finding(
                  Math.abs(best / round - 1) < 0.1,
                  text("%,.0f records/s round-robin, %,.0f choose-best", round, best));
            }));
    return new Figure("fig21", "Partitioned leveling as LevelDB has it", runs, claims);
  }

  private static Figure shapes() {
    return new Figure(
        "fig22",
        "Partitioned leveling: expected levels, and those of a testing phase that merges all it can",
        List.of(
            Run.testing("expected", exact("round-robin"), "single"),
            Run.testing("actual", any("round-robin"), "single")),
        List.of(
            grows(1),
            grows(2),
            new Claim(
                "the largest level is not affected",
                outcomes -> {
                  double expected = outcomes.levelBytes("expected", 3);
                  double actual = outcomes.levelBytes("actual", 3);
                  return new Finding(
                      Math.abs(actual / expected - 1) < 0.2,
                      text("%.0f GB, expected %.0f GB", actual / 1e9, expected / 1e9));
                }),
            new Claim(
                "wasted space increases by 12/4",
                outcomes -> {
                  double expected = waste(outcomes, "expected");
                  double actual = waste(outcomes, "actual");
                  return new Finding(
                      near(actual / expected, GROWTH),
                      text(
                          "from %.0f %% to %.0f %% of the largest level, %.1f times",
                          100 * expected, 100 * actual, actual / expected));
                })));
  }

  private static Claim grows(int level) {
    return new Claim(
        "level " + level + " is 12/4 times as large as expected",
        outcomes -> {
          double expected = outcomes.levelBytes("expected", level);
          double actual = outcomes.levelBytes("actual", level);
          return new Finding(
              near(actual / expected, GROWTH),
              text(
                  "%.1f GB on average, expected %.1f GB: %.1f times",
                  actual / 1e9, expected / 1e9, actual / expected));
        });
  }

  private static boolean near(double found, double expected) {
    return Math.abs(found / expected - 1) < 0.2;
  }

  /**
   * Bytes of the levels between the flushed components and the largest, over those of the largest.
   */
  private static double waste(Outcomes outcomes, String run) {
    return (outcomes.levelBytes(run, 1) + outcomes.levelBytes(run, 2))
        / outcomes.levelBytes(run, 3);
  }

  private static Figure sustainable() {
    List<Run> runs = new ArrayList<>();
    List<Claim> claims = new ArrayList<>();
    for (String selection : SELECTIONS) {
      String before = selection + " testing as before";
      String testing = selection + " testing";
      runs.add(Run.testing(before, any(selection), "single"));
      runs.add(Run.testing(testing, exact(selection), "single"));
      runs.add(Run.testing(selection, any(selection), "single").at(PAPER_UTILIZATION, testing));
      claims.add(
          new Claim(
              selection + ": measured with exactly 4 flushed components a merge, 30 % lower",
              outcomes -> {
                double lower = 1 - outcomes.rate(testing) / outcomes.rate(before);
                return new Finding(
                    lower > 0.2 && lower < 0.4,
                    text(
                        "%,.0f records/s after %,.0f, %.0f %% lower",
                        outcomes.rate(testing), outcomes.rate(before), 100 * lower));
              }));
      claims.add(
          new Claim(
              selection + ": no write stalls at 95 % of that, low write latencies",
              outcomes ->
                  new Finding(
                      outcomes.stalled(selection) == 0 && outcomes.p99(selection) < SMALL_SECONDS,
                      text(
                          "%.0f s of stalls, p99 %.3f s, at most %d components and levels",
                          outcomes.stalled(selection),
                          outcomes.p99(selection),
                          outcomes.of(selection).components().most()))));
    }
    return new Figure(
        "fig23", "Partitioned leveling at 95 % of what merges of exactly 4 take", runs, claims);
  }

  private static Figure sizes() {
    List<Run> runs = new ArrayList<>();
    for (int megabytes : MEGABYTES) {
      String testing = megabytes + " MB testing";
      runs.add(Run.testing(testing, policy(megabytes, "round-robin", ", exact"), "single"));
      runs.add(
          Run.testing(megabytes + " MB", policy(megabytes, "round-robin", ""), "single")
              .at(PAPER_UTILIZATION, testing));
    }
    return new Figure(
        "fig24",
        "Partitioned leveling: sizes of components",
        runs,
        List.of(
            new Claim(
                "the size has little impact on the overall throughput",
                outcomes -> {
                  Map<Integer, Double> rates = new TreeMap<>();
                  MEGABYTES.forEach(each -> rates.put(each, outcomes.rate(each + " MB testing")));
                  double least =
                      rates.values().stream().mapToDouble(each -> each).min().orElseThrow();
                  double most =
                      rates.values().stream().mapToDouble(each -> each).max().orElseThrow();
                  return new Finding(
                      least > 0.8 * most,
                      each(rates, "%,.0f", "records/s")
                          + text("; the least is %.2f of the most", least / most));
                }),
            new Claim(
                "a large size causes large write latencies, a small one does not",
                outcomes -> {
                  Map<Integer, Double> latencies = new TreeMap<>();
                  MEGABYTES.forEach(each -> latencies.put(each, outcomes.p99(each + " MB")));
                  return new Finding(
                      outcomes.p99("8 MB") < SMALL_SECONDS
                          && outcomes.p99("64 MB") < SMALL_SECONDS
                          && outcomes.p99("32768 MB") > SMALL_SECONDS,
                      "p99 " + each(latencies, "%.2f", "s"));
                })));
  }

  private static String each(Map<Integer, Double> values, String format, String unit) {
    StringBuilder found = new StringBuilder("for 8 MB to 32 GB:");
    values.values().forEach(value -> found.append(' ').append(text(format, value)));
    return found.append(' ').append(unit).toString();
  }
}
