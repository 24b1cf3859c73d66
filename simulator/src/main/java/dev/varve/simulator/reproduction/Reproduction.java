package dev.varve.simulator.reproduction;

import dev.varve.simulator.SimulationResult;
import java.util.List;

/**
 * A figure of the paper as the simulator draws it.
 *
 * @param figure which one
 * @param title what it shows
 * @param runs each with its course
 * @param verdicts one for each claim
 */
public record Reproduction(
    String figure, String title, List<NamedResult> runs, List<Verdict> verdicts) {
  /** Copies the lists. */
  public Reproduction {
    runs = List.copyOf(runs);
    verdicts = List.copyOf(verdicts);
  }

  /**
   * A run of the figure.
   *
   * @param name what the figure calls it
   * @param result what came out
   */
  public record NamedResult(String name, SimulationResult result) {}
}
