package dev.varve.benchmarks.measure;

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
  /** The label of what is no store: the device itself, which nothing is compared with. */
  public static final String DEVICE = "device";

  /** How a phase went. */
  public enum Status {
    /** To its end. */
    DONE,
    /**
     * To its end, but on fewer records than others have, since a load before it was cut off: what
     * came of it is no bound for anybody.
     */
    PARTLY,
    /** The store can't do this; the note says why. */
    UNSUPPORTED,
    /** The store or its process failed; the note says how. */
    FAILED
  }

  /** A store can't do it. */
  public static Outcome unsupported(String store, String reason) {
    return new Outcome(store, Status.UNSUPPORTED, reason, null, List.of());
  }

  /** A store failed. */
  public static Outcome failed(String store, String reason) {
    return new Outcome(store, Status.FAILED, reason, null, List.of());
  }

  /** The median of rounds, by operations a second. */
  public static Outcome of(String store, List<Measurement> rounds) {
    List<Measurement> sorted =
        rounds.stream()
            .sorted(Comparator.comparingDouble(Measurement::operationsPerSecond))
            .toList();
    Measurement median = sorted.get((sorted.size() - 1) / 2);
    return new Outcome(
        store,
        Status.DONE,
        "",
        median,
        rounds.stream().map(Measurement::operationsPerSecond).toList());
  }

  /** The same with a note. */
  public Outcome noting(String replaced) {
    return new Outcome(store, status, replaced, measurement, rounds);
  }

  /** The same as of fewer records than others have. */
  public Outcome partly() {
    return new Outcome(store, Status.PARTLY, note, measurement, rounds);
  }
}
