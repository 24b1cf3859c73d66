package dev.varve.benchmarks.sustainable;

import dev.varve.simulator.SimulationOptions;
import dev.varve.simulator.evaluation.Scale;

/**
 * A phase to run, from an empty directory on.
 *
 * @param name {@code testing} or {@code running}
 * @param policy as {@code PolicyText} reads it
 * @param scheduler as {@code SchedulerText} reads it
 * @param arrivals as {@code Arrivals} reads it
 * @param tuner as {@code TunerText} reads it
 * @param scale of the node
 * @param time how long, in which windows
 */
public record PhaseRequest(
    String name,
    String policy,
    String scheduler,
    String arrivals,
    String tuner,
    Scale scale,
    SimulationOptions.Time time) {
  /** The phase that measures the maximum: the paper's, under fair. */
  static final String TESTING = "testing";

  /** The phase that shows what writers meet. */
  static final String RUNNING = "running";

  /** For tables and progress. */
  String label() {
    return policy + " " + name + ", " + scheduler;
  }
}
