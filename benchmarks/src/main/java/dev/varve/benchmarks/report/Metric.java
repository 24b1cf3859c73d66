package dev.varve.benchmarks.report;

import com.google.errorprone.annotations.Immutable;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.report.Figures;
import java.util.Locale;

/** A figure of a measurement: a column of the tables. */
public enum Metric {
  RATE("op/s", true, Measurement::operationsPerSecond),
  RESULT_RATE("results/s", true, Measurement::rowsPerSecond),
  RESULTS(
      "results",
      true,
      measured -> measured.found().rows() / (double) Math.max(1, measured.operations())),
  MISSES(
      "misses",
      false,
      measured -> measured.found().cacheMisses() / (double) Math.max(1, measured.operations())),
  OPERATIONS("operations", true, measured -> (double) measured.operations()),
  MEAN("mean ms", false, measured -> 1e3 * measured.seconds() / Math.max(1, measured.operations())),
  SETTLED_RATE("settled/s", true, Measurement::settledPerSecond),
  SUMS("sums", true, measured -> (double) measured.found().rows()),
  TORN("torn", false, measured -> (double) measured.wrongAnswers()),
  SECONDS("seconds", false, Measurement::settledSeconds),
  P50("p50 \u00b5s", false, measured -> measured.latency().micros(50)),
  P99("p99", false, measured -> measured.latency().micros(99)),
  P999("p99.9", false, measured -> measured.latency().micros(99.9)),
  LONGEST("max", false, measured -> measured.latency().micros(100)),
  CPU("CPU \u00b5s/op", false, Measurement::cpuMicrosPerOperation),
  ALLOCATED("heap B/op", false, Measurement::allocatedPerOperation),
  WRITTEN("written x", false, Measurement::writeAmplification),
  READ("read x", false, Measurement::readAmplification),
  SIZE(
      "size x",
      false,
      measured -> measured.cost().diskBytes() / (double) Math.max(1, measured.userBytes())),
  SPACE("space x", false, Measurement::spaceAmplification),
  DISK("disk MiB", false, measured -> measured.cost().diskBytes() / (double) (1 << 20)),
  MEMORY("RSS MiB", false, measured -> measured.cost().peakResidentBytes() / (double) (1 << 20));

  /** Takes the figure from a measurement. */
  @Immutable
  @FunctionalInterface
  private interface Reading {
    double of(Measurement measured);
  }

  private final String label;
  private final boolean higherIsBetter;
  private final Reading value;

  Metric(String label, boolean higherIsBetter, Reading value) {
    this.label = label;
    this.higherIsBetter = higherIsBetter;
    this.value = value;
  }

  /** Its heading. */
  String label() {
    return label;
  }

  boolean higherIsBetter() {
    return higherIsBetter;
  }

  /** Its value in a measurement. */
  public double of(Measurement measured) {
    return value.of(measured);
  }

  /** A value of it as people read it. */
  public static String text(double value) {
    if (value >= 1_000) {
      return Figures.count(Math.round(value));
    }
    return value >= 100
        ? Figures.decimal(value)
        : String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
  }

  /** The same without zeros at the end. */
  static String shortText(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
