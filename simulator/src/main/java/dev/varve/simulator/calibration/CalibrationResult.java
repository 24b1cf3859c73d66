package dev.varve.simulator.calibration;

import java.util.List;

/**
 * How near the simulator comes to a recorded run.
 *
 * @param setting what was run
 * @param sizes what components took on disk, as the simulations are told
 * @param throughput records per second without the warm-up, in the engine and in a simulation that
 *     knows sizes, budget and arrivals
 * @param meanComponents disk components on average, in the engine and in a simulation that is given
 *     the moments of the engine's flushes
 * @param componentsApart how far the two are from each other in a window, on average, as a part of
 *     the engine's mean
 * @param course disk components window by window, of the same two
 * @param decisions merges that the engine began
 * @param sameMerges the part of them that the simulation began as well, component for component
 * @param checks what has to hold
 */
public record CalibrationResult(
    Recording.Setting setting,
    SizeFit sizes,
    Pair throughput,
    Pair meanComponents,
    double componentsApart,
    List<Pair> course,
    int decisions,
    double sameMerges,
    List<Check> checks) {
  /** Copies the lists. */
  public CalibrationResult {
    course = List.copyOf(course);
    checks = List.copyOf(checks);
  }

  /**
   * A number twice.
   *
   * @param engine as recorded
   * @param simulated as simulated
   */
  public record Pair(double engine, double simulated) {
    /** How far the second is from the first, as a part of the first. */
    double deviation() {
      return engine == simulated ? 0 : Math.abs(simulated - engine) / Math.abs(engine);
    }
  }

  /**
   * Something that has to hold.
   *
   * @param name what
   * @param found what came out
   * @param holds whether that is near enough
   */
  public record Check(String name, String found, boolean holds) {}

  /** Whether the simulator may stand for the engine here. */
  public boolean holds() {
    return checks.stream().allMatch(Check::holds);
  }
}
