package dev.varve.benchmarks.sustainable;

import dev.varve.benchmarks.measure.Work;
import dev.varve.simulator.SimulationOptions;
import dev.varve.simulator.evaluation.Scale;

/**
 * A phase to run, from an empty directory on.
 *
 * @param work {@code testing} or {@code running}, for how long
 * @param policy as {@code PolicyText} reads it
 * @param scheduler as {@code SchedulerText} reads it
 * @param arrivals as {@code Arrivals} reads it
 * @param tuner as {@code TunerText} reads it
 * @param scale of the node
 */
public record PhaseRequest(
    Work work, String policy, String scheduler, String arrivals, String tuner, Scale scale) {
  /** The phase that measures the maximum: the paper's, under fair. */
  static final String TESTING = "testing";

  /** The phase that shows what writers meet. */
  static final String RUNNING = "running";

  private static final int WINDOWS = 60;

  /** The paper leaves 20 minutes of 120 out. */
  private static final int WARM_UP_WINDOWS = 10;

  /** {@code testing} or {@code running}. */
  String name() {
    return work.task();
  }

  /** How long, in which windows. */
  SimulationOptions.Time time() {
    double seconds = work.effort().seconds();
    double window = seconds / WINDOWS;
    return new SimulationOptions.Time(seconds, WARM_UP_WINDOWS * window, window);
  }

  /** For tables and progress. */
  String label() {
    return policy + " " + name() + ", " + scheduler;
  }
}
