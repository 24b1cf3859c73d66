package dev.varve.simulator.reproduction;

import dev.varve.simulator.SimulationResult;
import java.util.ArrayList;
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

  /** The figures that there are. */
  public static List<String> figures() {
    return all().stream().map(Reproducible::name).toList();
  }

  /**
   * Simulates a figure.
   *
   * @throws IllegalArgumentException when there is no such figure
   */
  public static Reproduction of(String figure) {
    for (Reproducible known : all()) {
      if (known.name().equals(figure)) {
        return known.reproduce();
      }
    }
    throw new IllegalArgumentException(
        "there is no figure '" + figure + "'; there are " + String.join(", ", figures()));
  }

  private static List<Reproducible> all() {
    List<Reproducible> all = new ArrayList<>(BlsmFigures.all());
    all.addAll(FullMergeFigures.all());
    all.addAll(SizeTieredFigures.all());
    all.addAll(PartitionedFigures.all());
    all.addAll(EagerFigures.all());
    all.addAll(AdocRivalFigures.all());
    all.addAll(AdocStallFigures.all());
    return all;
  }
}
