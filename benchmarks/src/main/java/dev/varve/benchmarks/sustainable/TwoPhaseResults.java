package dev.varve.benchmarks.sustainable;

import dev.varve.benchmarks.measure.Machine;
import java.util.List;
import java.util.Optional;

/**
 * What an evaluation found: the JSON document has these names.
 *
 * @param command {@code bench twophase}
 * @param machine where it ran
 * @param settings what was asked for
 * @param outcomes in the order in which they ran
 * @param verdicts what the paper says, and whether it is so here
 * @param seconds how long everything took
 */
public record TwoPhaseResults(
    String command,
    Machine machine,
    TwoPhaseSettings settings,
    List<PhaseOutcome> outcomes,
    List<Verdict> verdicts,
    double seconds) {
  /** Copies the lists. */
  public TwoPhaseResults {
    outcomes = List.copyOf(outcomes);
    verdicts = List.copyOf(verdicts);
  }

  /** The running phase of a policy under a scheduler, if it ran. */
  static Optional<PhaseOutcome> running(
      List<PhaseOutcome> outcomes, String policy, String scheduler) {
    return outcomes.stream()
        .filter(outcome -> outcome.request().name().equals(PhaseRequest.RUNNING))
        .filter(outcome -> outcome.request().policy().equals(policy))
        .filter(outcome -> outcome.request().scheduler().equals(scheduler))
        .findFirst();
  }
}
