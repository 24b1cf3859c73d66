package dev.varve.benchmarks.sustainable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A claim of the paper about the running phase, and what came out.
 *
 * @param claim what the paper says
 * @param found what came out here
 * @param holds whether that is so here
 */
public record Verdict(String claim, String found, boolean holds) {
  /**
   * Writers that were held back for less than this part of the time were not: a force that takes
   * long for once makes them wait for a few milliseconds under any scheduler.
   */
  static final double NO_STALL_PART = 0.005;

  /** Everything the paper says of the phases that ran. */
  static List<Verdict> of(List<PhaseOutcome> outcomes) {
    List<Verdict> verdicts = new ArrayList<>();
    outcomes.stream()
        .map(outcome -> outcome.request().policy())
        .distinct()
        .forEach(policy -> addOf(policy, outcomes, verdicts));
    return verdicts;
  }

  private static void addOf(String policy, List<PhaseOutcome> outcomes, List<Verdict> verdicts) {
    Optional<PhaseOutcome> fair = TwoPhaseResults.running(outcomes, policy, "fair");
    Optional<PhaseOutcome> greedy = TwoPhaseResults.running(outcomes, policy, "greedy");
    TwoPhaseResults.running(outcomes, policy, "single")
        .ifPresent(run -> verdicts.add(stalls(policy + ": single stalls", run)));
    if (policy.startsWith("tiering")) {
      fair.ifPresent(run -> verdicts.add(noStalls(policy + ": fair does not stall", run)));
    }
    greedy.ifPresent(run -> verdicts.add(noStalls(policy + ": greedy does not stall", run)));
    greedy.ifPresent(run -> fewestComponents(policy, run, outcomes).ifPresent(verdicts::add));
  }

  private static Verdict stalls(String claim, PhaseOutcome run) {
    return new Verdict(claim, describe(run), run.stalledPart() > NO_STALL_PART);
  }

  private static Verdict noStalls(String claim, PhaseOutcome run) {
    return new Verdict(claim, describe(run), run.stalledPart() <= NO_STALL_PART);
  }

  private static Optional<Verdict> fewestComponents(
      String policy, PhaseOutcome greedy, List<PhaseOutcome> outcomes) {
    OptionalDouble others =
        outcomes.stream()
            .filter(outcome -> outcome.request().name().equals(PhaseRequest.RUNNING))
            .filter(outcome -> outcome.request().policy().equals(policy))
            .filter(outcome -> !outcome.request().scheduler().equals(greedy.request().scheduler()))
            .mapToDouble(outcome -> outcome.components().mean())
            .min();
    if (others.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Verdict(
            policy + ": greedy keeps the fewest components",
            text(
                "%.1f on average, the others at least %.1f",
                greedy.components().mean(), others.getAsDouble()),
            greedy.components().mean() <= others.getAsDouble()));
  }

  private static String describe(PhaseOutcome run) {
    return text(
        "%.2f s of stalls in %.0f s, %.2f s of them while a flush was forced, the longest %.2f s; p99"
            + " of a write %.1f ms",
        run.stalls().seconds(),
        run.request().time().seconds(),
        run.stalls().forcedSeconds(),
        run.stalls().longestSeconds(),
        run.writeMillis(99));
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
