package dev.varve.benchmarks.kv;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of a phase for one store.
 *
 * @param store its label
 * @param status how it went
 * @param note what a reader has to know; empty when there is nothing
 * @param measurement the median of the rounds; null when there is none
 * @param rounds operations a second in each round
 */
public record Outcome(
    String store,
    Status status,
    String note,
    @Nullable Measurement measurement,
    List<Double> rounds) {
  /** How a phase went. */
  public enum Status {
    /** To its end. */
    DONE,
    /** The store can't do this; the note says why. */
    UNSUPPORTED,
    /** The store or its process failed; the note says how. */
    FAILED
  }

  static Outcome unsupported(Contender contender, String reason) {
    return new Outcome(contender.label(), Status.UNSUPPORTED, reason, null, List.of());
  }

  static Outcome failed(Contender contender, String reason) {
    return new Outcome(contender.label(), Status.FAILED, reason, null, List.of());
  }

  /** The median of rounds, by operations a second. */
  static Outcome of(Contender contender, List<Measurement> rounds) {
    List<Measurement> sorted =
        rounds.stream()
            .sorted(Comparator.comparingDouble(Measurement::operationsPerSecond))
            .toList();
    Measurement median = sorted.get((sorted.size() - 1) / 2);
    return new Outcome(
        contender.label(),
        Status.DONE,
        "",
        median,
        rounds.stream().map(Measurement::operationsPerSecond).toList());
  }

  /** The same with a note. */
  Outcome noting(String replaced) {
    return new Outcome(store, status, replaced, measurement, rounds);
  }
}
