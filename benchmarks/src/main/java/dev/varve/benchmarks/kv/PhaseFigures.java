package dev.varve.benchmarks.kv;

import static dev.varve.benchmarks.report.Metric.ALLOCATED;
import static dev.varve.benchmarks.report.Metric.CPU;
import static dev.varve.benchmarks.report.Metric.DISK;
import static dev.varve.benchmarks.report.Metric.LONGEST;
import static dev.varve.benchmarks.report.Metric.MEMORY;
import static dev.varve.benchmarks.report.Metric.P50;
import static dev.varve.benchmarks.report.Metric.P99;
import static dev.varve.benchmarks.report.Metric.P999;
import static dev.varve.benchmarks.report.Metric.RATE;
import static dev.varve.benchmarks.report.Metric.READ;
import static dev.varve.benchmarks.report.Metric.SECONDS;
import static dev.varve.benchmarks.report.Metric.SETTLED_RATE;
import static dev.varve.benchmarks.report.Metric.SIZE;
import static dev.varve.benchmarks.report.Metric.SPACE;
import static dev.varve.benchmarks.report.Metric.WRITTEN;

import dev.varve.benchmarks.report.Metric;
import java.util.ArrayList;
import java.util.List;

/** Which figures say something about what a phase does. Thread-safe: no state. */
final class PhaseFigures {
  private static final List<Metric> OF_CHANGE =
      List.of(
          RATE, SETTLED_RATE, P50, P99, P999, LONGEST, CPU, ALLOCATED, WRITTEN, READ, DISK, MEMORY);
  private static final List<Metric> OF_LOAD = withSize(SIZE);
  private static final List<Metric> OF_OVERWRITING = withSize(SPACE);
  private static final List<Metric> OF_READ =
      List.of(RATE, P50, P99, P999, LONGEST, CPU, ALLOCATED, WRITTEN, READ, MEMORY);
  private static final List<Metric> OF_RECOVERY =
      List.of(SECONDS, RATE, CPU, WRITTEN, READ, DISK, MEMORY);

  private PhaseFigures() {}

  private static List<Metric> withSize(Metric size) {
    List<Metric> columns = new ArrayList<>(OF_CHANGE);
    columns.add(columns.indexOf(DISK), size);
    return List.copyOf(columns);
  }

  /** By which one stores are compared: changes with the background work that they cause. */
  static Metric decisive(Action action) {
    return switch (action.extent()) {
      case RECORDS -> action == Action.RECOVER ? SECONDS : SETTLED_RATE;
      case FIFTH, TRIPLE -> SETTLED_RATE;
      case OPENING, WINDOW, PASS -> RATE;
    };
  }

  /** The columns of its table. */
  static List<Metric> columns(Action action) {
    return switch (action.extent()) {
      case RECORDS -> action == Action.RECOVER ? OF_RECOVERY : OF_LOAD;
      case FIFTH -> OF_CHANGE;
      case TRIPLE -> OF_OVERWRITING;
      case OPENING, WINDOW, PASS -> OF_READ;
    };
  }
}
