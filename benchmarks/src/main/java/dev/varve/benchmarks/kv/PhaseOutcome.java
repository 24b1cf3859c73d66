package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Outcome;
import dev.varve.benchmarks.report.Section;
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
  /** The same as a report shows it. */
  public Section section() {
    return new Section(
        id,
        phase.title(),
        PhaseFigures.columns(phase.action()),
        PhaseFigures.decisive(phase.action()),
        outcomes);
  }

  /** What was measured of a store, if anything. */
  public Optional<Measurement> of(String store) {
    return section().of(store);
  }
}
