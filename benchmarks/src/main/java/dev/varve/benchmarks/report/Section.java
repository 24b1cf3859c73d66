package dev.varve.benchmarks.report;

import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Outcome;
import dev.varve.benchmarks.measure.Outcome.Status;
import java.util.List;
import java.util.Optional;

/**
 * A phase of any comparison, as a report shows it.
 *
 * @param id its name among all phases
 * @param title what it is, in a line
 * @param columns of its table
 * @param decisive by which figure stores are compared
 * @param outcomes of each store, in the order of the tables
 */
public record Section(
    String id, String title, List<Metric> columns, Metric decisive, List<Outcome> outcomes) {
  /** Copies the lists. */
  public Section {
    columns = List.copyOf(columns);
    outcomes = List.copyOf(outcomes);
  }

  /** What was measured of a store, if anything that others can be held against. */
  Optional<Measurement> comparable(String store) {
    return outcomes.stream()
        .filter(outcome -> outcome.store().equals(store) && outcome.status() == Status.DONE)
        .findFirst()
        .map(Outcome::measurement);
  }

  /** What was measured of a store, if anything. */
  public Optional<Measurement> of(String store) {
    return outcomes.stream()
        .filter(outcome -> outcome.store().equals(store))
        .findFirst()
        .map(Outcome::measurement);
  }
}
