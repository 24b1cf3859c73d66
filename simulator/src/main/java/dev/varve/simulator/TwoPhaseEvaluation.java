package dev.varve.simulator;

/**
 * The evaluation of On Performance Stability in LSM-based Storage Systems, section 3.2: a testing
 * phase measures in a closed system how many writes are possible, a running phase lets a large part
 * of that arrive whether or not it can be taken. Only the second shows what a writer waits for, and
 * whether what the first measured can be kept up. Immutable.
 *
 * @param testing the node as it is measured; its arrivals are replaced by a closed system
 * @param running the node as it is run; its arrivals are replaced by a part of what was measured
 * @param utilization that part, 0.95 in the paper
 */
public record TwoPhaseEvaluation(
    SimulationOptions testing, SimulationOptions running, double utilization) {
  /** The part of the maximum that the paper runs with. */
  public static final double PAPER_UTILIZATION = 0.95;

  /** Checks the utilization. */
  public TwoPhaseEvaluation {
    if (!(utilization > 0 && utilization <= 1)) {
      throw new IllegalArgumentException("a utilization of " + utilization);
    }
  }

  /**
   * Both phases.
   *
   * @param testing what the closed system did
   * @param running what a writer met at the utilization
   */
  public record Result(SimulationResult testing, SimulationResult running) {
    /** The most that the testing phase measured. */
    public double maximum() {
      return testing.recordsPerSecond();
    }
  }

  /** Runs both phases, each on a freshly loaded node. */
  public Result run() {
    SimulationResult measured = Simulation.run(testing.withArrivals(Arrivals.closed()));
    double arriving = measured.recordsPerSecond() * utilization;
    return new Result(measured, Simulation.run(running.withArrivals(Arrivals.constant(arriving))));
  }
}
