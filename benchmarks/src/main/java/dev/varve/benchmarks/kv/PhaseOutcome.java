package dev.varve.benchmarks.kv;

import java.util.List;
import java.util.Optional;

/**
 * What came of a phase.
 *
 * @param id its name among all phases
 * @param phase what it was
 * @param outcomes of each store, in the order of the contenders
 */
public record PhaseOutcome(String id, Phase phase, List<Outcome> outcomes) {
  /** What was measured of a store, if anything. */
  public Optional<Measurement> of(String store) {
    return outcomes.stream()
        .filter(outcome -> outcome.store().equals(store))
        .findFirst()
        .map(Outcome::measurement);
  }
}
