package dev.varve.simulator;

import dev.varve.common.maintenance.MergeScheduler;
import dev.varve.scheduler.admission.WriteGate;
import dev.varve.scheduler.admission.WriteGates;
import java.util.List;

/**
 * What is simulated. Equal options give equal results, to the last digit.
 *
 * @param node the machine
 * @param trees at least one
 * @param scheduler shares the bandwidth for merges out, over all trees
 * @param gate says when writes wait
 * @param arrivals when writes arrive
 * @param time how long, and what of it is measured
 */
public record SimulationOptions(
    SimulatedNode node,
    List<SimulatedTree> trees,
    MergeScheduler scheduler,
    WriteGate gate,
    Arrivals arrivals,
    Time time) {
  /**
   * How long the simulation lasts.
   *
   * @param seconds from the first write to the end
   * @param warmUpSeconds what the throughput leaves out at the beginning, because a freshly loaded
   *     tree has few components
   * @param windowSeconds over what throughput and components are averaged for plots
   */
  public record Time(double seconds, double warmUpSeconds, double windowSeconds) {
    /** The paper's: two hours without the first 20 minutes, in windows of 30 s. */
    public static final Time PAPER = new Time(7200, 1200, 30);

    /** Checks the order. */
    public Time {
      if (!(seconds > 0) || !(warmUpSeconds >= 0 && warmUpSeconds < seconds)) {
        throw new IllegalArgumentException(
            seconds + " s, of which " + warmUpSeconds + " s warm-up");
      }
      if (!(windowSeconds > 0)) {
        throw new IllegalArgumentException("windows of " + windowSeconds + " s");
      }
    }
  }

  /** Copies the list. */
  public SimulationOptions {
    trees = List.copyOf(trees);
    if (trees.isEmpty()) {
      throw new IllegalArgumentException("a node without trees");
    }
    if (gate instanceof WriteGates.Controlled) {
      throw new IllegalArgumentException(
          "the gate " + gate.describe() + " is simulated with tuners only, see adoc-all");
    }
  }

  /** The same with other arrivals. */
  public SimulationOptions withArrivals(Arrivals other) {
    return new SimulationOptions(node, trees, scheduler, gate, other, time);
  }

  /** The same under another scheduler. */
  public SimulationOptions withScheduler(MergeScheduler other) {
    return new SimulationOptions(node, trees, other, gate, arrivals, time);
  }

  /** The same with another gate. */
  public SimulationOptions withGate(WriteGate other) {
    return new SimulationOptions(node, trees, scheduler, other, arrivals, time);
  }

  /** The same with other trees. */
  public SimulationOptions withTrees(List<SimulatedTree> others) {
    return new SimulationOptions(node, others, scheduler, gate, arrivals, time);
  }
}
