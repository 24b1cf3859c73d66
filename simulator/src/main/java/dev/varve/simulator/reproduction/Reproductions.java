package dev.varve.simulator.reproduction;

import java.util.ArrayList;
import java.util.List;

/** The figures of the papers that can be drawn again, by name. Thread-safe: no state. */
public final class Reproductions {
  private Reproductions() {}

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
    all.addAll(AdocMixFigures.all());
    all.addAll(AdocStallFigures.all());
    all.addAll(AdocGridFigures.all());
    all.addAll(AdocVarveFigure.all());
    return all;
  }
}
