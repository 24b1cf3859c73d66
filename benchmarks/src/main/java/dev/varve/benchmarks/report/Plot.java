package dev.varve.benchmarks.report;

import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Measurement.Point;
import dev.varve.benchmarks.measure.Measurement.Sample;
import dev.varve.benchmarks.measure.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A plot as the page's script reads it.
 *
 * @param place id of the element that it is put into
 * @param title what it shows
 * @param across what goes from left to right
 * @param logarithmic whether its heights are
 * @param categories names of the places from left to right; empty where they are numbers
 * @param series its lines
 */
public record Plot(
    String place,
    String title,
    String across,
    boolean logarithmic,
    List<String> categories,
    List<Series> series) {
  /** A second phase of fewer samples says nothing over time. */
  private static final int SAMPLES_MIN = 2;

  /**
   * A line.
   *
   * @param label of which store
   * @param points pairs of numbers
   */
  public record Series(String label, List<double[]> points) {}

  /** The plots of phases: percentiles, and what went on over time. */
  static List<Plot> of(List<Section> sections) {
    List<Plot> plots = new ArrayList<>();
    for (Section phase : sections) {
      percentiles(phase, plots);
      overTime(phase, "operations a second", Sample::operationsPerSecond, plots);
      overTime(phase, "components", sample -> (double) sample.components(), plots);
    }
    return plots;
  }

  private static void percentiles(Section phase, List<Plot> plots) {
    List<String> names = new ArrayList<>();
    List<Series> series = new ArrayList<>();
    for (Outcome outcome : phase.outcomes()) {
      Measurement measured = outcome.measurement();
      if (measured != null && measured.latency().points().size() > 1) {
        List<Point> points = measured.latency().points();
        names = points.stream().map(Plot::name).toList();
        series.add(
            new Series(
                outcome.store(),
                points.stream()
                    .map(point -> new double[] {point.percentile(), point.micros()})
                    .toList()));
      }
    }
    if (!series.isEmpty()) {
      plots.add(new Plot(phase.id(), "\u00b5s of an operation", "percentile", true, names, series));
    }
  }

  private static String name(Point point) {
    return point.percentile() == 100 ? "max" : Metric.shortText(point.percentile());
  }

  private static void overTime(
      Section phase, String title, Function<Sample, Double> figure, List<Plot> plots) {
    List<Series> series = new ArrayList<>();
    for (Outcome outcome : phase.outcomes()) {
      Measurement measured = outcome.measurement();
      if (measured != null && measured.samples().size() >= SAMPLES_MIN) {
        series.add(
            new Series(
                outcome.store(),
                measured.samples().stream()
                    .map(sample -> new double[] {sample.seconds(), figure.apply(sample)})
                    .toList()));
      }
    }
    if (!series.isEmpty()) {
      plots.add(new Plot(phase.id(), title, "seconds", false, List.of(), series));
    }
  }
}
