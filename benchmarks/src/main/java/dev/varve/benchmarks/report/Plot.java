package dev.varve.benchmarks.report;

import dev.varve.benchmarks.kv.Measurement;
import dev.varve.benchmarks.kv.Measurement.Point;
import dev.varve.benchmarks.kv.Measurement.Sample;
import dev.varve.benchmarks.kv.Outcome;
import dev.varve.benchmarks.kv.PhaseOutcome;
import dev.varve.benchmarks.kv.Results;
import dev.varve.benchmarks.kv.Suite;
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

  /** All plots of a comparison of stores. */
  static List<Plot> of(Results results) {
    List<Plot> plots = of(results.phases().stream().map(Section::of).toList());
    overSize(results, plots);
    return plots;
  }

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

  /** What an operation costs, over the size of the load. */
  private static void overSize(Results results, List<Plot> plots) {
    List<double[]> cpu = new ArrayList<>();
    List<double[]> settled = new ArrayList<>();
    String place = "";
    for (PhaseOutcome phase : results.phases()) {
      Measurement measured =
          phase.outcomes().isEmpty() ? null : phase.outcomes().get(0).measurement();
      if (phase.phase().suite() == Suite.SCALE && measured != null) {
        double millions = measured.operations() / 1e6;
        cpu.add(new double[] {millions, measured.cpuMicrosPerOperation()});
        settled.add(new double[] {millions, 1e6 / measured.settledPerSecond()});
        place = phase.id();
      }
    }
    if (!cpu.isEmpty()) {
      List<Series> series =
          List.of(new Series("CPU \u00b5s", cpu), new Series("\u00b5s, settled", settled));
      plots.add(
          new Plot(place, "cost of an operation", "million records", false, List.of(), series));
    }
  }
}
