package dev.varve.benchmarks.reproduce;

import dev.varve.benchmarks.measure.Measurement.Sample;
import dev.varve.benchmarks.report.Plot;
import dev.varve.benchmarks.report.Plot.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Stream;

/** The plots of the experiments, as the paper has them. Thread-safe: no state. */
final class Drawings {
  private static final List<String> PLACES =
      List.of("ms, ingested", "misses, ingested", "ms, compacted", "misses, compacted");

  private Drawings() {}

  static List<Plot> ofTable4(Courses courses) {
    List<Series> series = new ArrayList<>();
    for (Tree tree : Tree.values()) {
      series.add(
          new Series(
              tree.label(),
              numbers(
                  courses.millis(TreeBench.QUERIES, tree),
                  courses.misses(TreeBench.QUERIES, tree),
                  courses.millis(TreeBench.COMPACTED, tree),
                  courses.misses(TreeBench.COMPACTED, tree))));
    }
    series.add(new Series("RTree, paper", numbers(2543.2, 560.6)));
    series.add(new Series("LSMRTree, paper", numbers(86.7, 24.7, 17.5, 8.1)));
    series.add(new Series("AMLSMRTree, paper", numbers(100.8, 24.7, 16.5, 8.1)));
    return List.of(
        new Plot(TreeBench.QUERIES, "Table 4, here and in the paper", "", true, PLACES, series));
  }

  private static List<double[]> numbers(double... values) {
    List<double[]> points = new ArrayList<>();
    for (int i = 0; i < values.length && !Double.isNaN(values[i]); i++) {
      points.add(new double[] {i, values[i]});
    }
    return points;
  }

  static List<Plot> ofFigure5(Courses courses, int points) {
    return List.of(
        new Plot(
            TreeBench.RAW_INSERTS,
            "Figure 5(a): points ingested",
            "seconds",
            false,
            List.of(),
            lines(
                courses,
                TreeBench.RAW_INSERTS,
                (part, sample) -> sample.seconds(),
                (part, sample) -> at(part, points))),
        new Plot(
            TreeBench.RAW_INSERTS,
            "points a second",
            "points ingested",
            false,
            List.of(),
            lines(
                courses,
                TreeBench.RAW_INSERTS,
                (part, sample) -> at(part, points),
                (part, sample) -> sample.operationsPerSecond())));
  }

  static List<Plot> ofFigure6(Courses courses, int points) {
    return Stream.of(TreeBench.DELETES_CACHED, TreeBench.DELETES_ON_DISK)
        .map(
            phase ->
                new Plot(
                    phase,
                    "Figure 6: ms of a query",
                    "points ingested",
                    false,
                    List.of(),
                    lines(
                        courses,
                        phase,
                        (part, sample) -> at(part, points),
                        (part, sample) -> 1e3 / sample.operationsPerSecond())))
        .toList();
  }

  private static double at(int part, int points) {
    return (part + 1.0) / TreeBench.PARTS * points;
  }

  private static List<Series> lines(
      Courses courses,
      String phase,
      ToDoubleBiFunction<Integer, Sample> across,
      ToDoubleBiFunction<Integer, Sample> up) {
    List<Series> series = new ArrayList<>();
    for (Tree tree : Tree.values()) {
      List<Sample> parts = courses.parts(phase, tree);
      List<double[]> line = new ArrayList<>();
      for (int part = 0; part < parts.size(); part++) {
        line.add(
            new double[] {
              across.applyAsDouble(part, parts.get(part)), up.applyAsDouble(part, parts.get(part))
            });
      }
      if (!line.isEmpty()) {
        series.add(new Series(tree.label(), line));
      }
    }
    return series;
  }
}
