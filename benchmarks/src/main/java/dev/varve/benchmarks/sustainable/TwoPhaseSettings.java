package dev.varve.benchmarks.sustainable;

import dev.varve.simulator.evaluation.Scale;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is evaluated.
 *
 * @param policies as {@code PolicyText} reads them
 * @param schedulers of the running phase, as {@code SchedulerText} reads them
 * @param tuner of both phases, as {@code TunerText} reads it
 * @param scale of the nodes
 * @param seconds of each phase
 * @param utilization the part of the maximum that arrives in the running phase
 * @param arrivals what arrives in the running phase; null for that part of the maximum at a
 *     constant pace, which a testing phase measures
 */
public record TwoPhaseSettings(
    List<String> policies,
    List<String> schedulers,
    String tuner,
    Scale scale,
    double seconds,
    double utilization,
    @Nullable String arrivals) {
  /** What a load takes, merges included: 96 MB took 6 s on two cores. */
  private static final double LOAD_BYTES_PER_SECOND = 16e6;

  /** Copies the lists, and reports all problems at once. */
  public TwoPhaseSettings {
    policies = List.copyOf(policies);
    schedulers = List.copyOf(schedulers);
    if (policies.isEmpty() || schedulers.isEmpty()) {
      throw new IllegalArgumentException("there is no policy or no scheduler");
    }
    if (!(seconds >= 1 && seconds <= 36_000)) {
      throw new IllegalArgumentException("seconds " + seconds + " is not between 1 and 36000");
    }
    if (!(utilization > 0 && utilization <= 1)) {
      throw new IllegalArgumentException("utilization " + utilization + " is not in (0, 1]");
    }
  }

  /** How many phases. */
  public int phases() {
    return policies.size() * (schedulers.size() + (arrivals == null ? 1 : 0));
  }

  /** About how long everything takes. */
  public double estimatedSeconds() {
    return phases() * (seconds + scale.records() * scale.recordBytes() / LOAD_BYTES_PER_SECOND);
  }
}
