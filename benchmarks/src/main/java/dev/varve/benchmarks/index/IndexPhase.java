package dev.varve.benchmarks.index;

import static dev.varve.benchmarks.report.Metric.ALLOCATED;
import static dev.varve.benchmarks.report.Metric.CPU;
import static dev.varve.benchmarks.report.Metric.DISK;
import static dev.varve.benchmarks.report.Metric.LONGEST;
import static dev.varve.benchmarks.report.Metric.MEAN;
import static dev.varve.benchmarks.report.Metric.MEMORY;
import static dev.varve.benchmarks.report.Metric.MISSES;
import static dev.varve.benchmarks.report.Metric.OPERATIONS;
import static dev.varve.benchmarks.report.Metric.P50;
import static dev.varve.benchmarks.report.Metric.P99;
import static dev.varve.benchmarks.report.Metric.P999;
import static dev.varve.benchmarks.report.Metric.RATE;
import static dev.varve.benchmarks.report.Metric.RESULTS;
import static dev.varve.benchmarks.report.Metric.RESULT_RATE;
import static dev.varve.benchmarks.report.Metric.SETTLED_RATE;
import static dev.varve.benchmarks.report.Metric.WRITTEN;

import dev.varve.benchmarks.report.Metric;
import java.util.List;

/**
 * One thing that every store does.
 *
 * @param id its name on command lines and in reports
 * @param title what it is, in a line
 * @param kind what kind of work it is
 */
public record IndexPhase(String id, String title, Kind kind) {
  private static final List<Metric> OF_CHANGE =
      List.of(
          RATE,
          SETTLED_RATE,
          OPERATIONS,
          P50,
          P99,
          P999,
          LONGEST,
          CPU,
          ALLOCATED,
          WRITTEN,
          DISK,
          MEMORY);
  private static final List<Metric> OF_QUERY =
      List.of(RATE, RESULT_RATE, RESULTS, P50, P99, P999, LONGEST, CPU, ALLOCATED, MEMORY);

  private static final List<Metric> OF_MISSES =
      List.of(MEAN, MISSES, RESULTS, P50, P99, LONGEST, CPU, DISK, MEMORY);

  /** Kinds of work. */
  public enum Kind {
    /** Puts everything in, and waits for the background work. */
    LOAD(SETTLED_RATE),
    /** Changes something, and waits for the background work. */
    CHANGE(SETTLED_RATE),
    /** Asks with few results, in rounds: the rate of queries decides. */
    QUERY(RATE),
    /** Asks with many results, in rounds: the rate of results decides. */
    RESULTS_QUERY(RESULT_RATE),
    /** Asks a fixed set of queries once: their time and the pages that they miss decide. */
    MISSING_QUERY(MEAN);

    private final Metric decisive;

    Kind(Metric decisive) {
      this.decisive = decisive;
    }

    /** Whether it asks, and is done in several rounds. */
    boolean asks() {
      return this == QUERY || this == RESULTS_QUERY;
    }
  }

  /** By which figure stores are compared. */
  Metric decisive() {
    return kind.decisive;
  }

  /** The columns of its table. */
  List<Metric> columns() {
    if (kind == Kind.MISSING_QUERY) {
      return OF_MISSES;
    }
    return kind.asks() ? OF_QUERY : OF_CHANGE;
  }
}
