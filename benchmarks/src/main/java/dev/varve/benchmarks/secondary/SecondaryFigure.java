package dev.varve.benchmarks.secondary;

import dev.varve.benchmarks.measure.Labelled;
import dev.varve.benchmarks.sustainable.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The figures of <i>On Performance Stability in LSM-based Storage Systems</i>, section 7: two
 * secondary indexes, kept lazily or eagerly, under the fair and the greedy scheduler. What is run,
 * and what the paper says of it. Pure.
 */
public enum SecondaryFigure implements Labelled {
  /** Writes, lazily. */
  FIG25(
      "fig25", "Running phase of the lazy strategy", Plans.running(Plans.LAZY), Rows::ofLazyWrites),

  /** Writes, eagerly. */
  FIG26(
      "fig26",
      "Running phase of the eager strategy",
      Plans.join(Plans.running(Plans.EAGER), Plans.running(Plans.LAZY)),
      Rows::ofEagerWrites),

  /** Writes at several arrival rates. */
  FIG27(
      "fig27",
      "Write latencies under the eager strategy with varying utilization",
      Plans.utilizations(),
      Rows::ofUtilizations),

  /** Queries beside writes, lazily. */
  FIG28(
      "fig28",
      "Query throughput of the lazy strategy",
      Plans.queries(Plans.LAZY),
      rows -> rows.ofQueries(Plans.LAZY)),

  /** Queries beside writes, eagerly. */
  FIG29(
      "fig29",
      "Query throughput of the eager strategy",
      Plans.join(Plans.queries(Plans.EAGER), Plans.queries(Plans.LAZY)),
      Rows::ofEagerQueries);

  /** How many records a query finds, about. */
  static final List<Integer> SELECTIVITIES = List.of(1, 10, 100, 1000);

  private final String label;
  private final String title;

  @SuppressWarnings("Immutable") // A copy.
  private final List<Cell> cells;

  @SuppressWarnings("Immutable") // No constant's captures anything.
  private final Function<Rows, List<Verdict>> verdicts;

  SecondaryFigure(
      String label, String title, List<Cell> cells, Function<Rows, List<Verdict>> verdicts) {
    this.label = label;
    this.title = title;
    this.cells = List.copyOf(cells);
    this.verdicts = verdicts;
  }

  /**
   * A phase: a node that is loaded and then written to.
   *
   * @param maintenance {@code lazy} or {@code eager}
   * @param scheduler as {@code SchedulerText} reads it
   * @param percent what arrives, of what the strategy's testing phase took; 0 for that phase, in
   *     which the next write arrives when the one before is done
   * @param queries whether threads ask queries meanwhile
   */
  public record Cell(String maintenance, String scheduler, int percent, boolean queries) {
    /** Threads that write, as in the paper: lazily one is enough. */
    int writers() {
      return maintenance.equals(Plans.EAGER) ? 8 : 1;
    }

    /** For tables and progress. */
    public String label() {
      return percent == 0
          ? maintenance + " testing"
          : "%s %s %d %%%s"
              .formatted(maintenance, scheduler, percent, queries ? " with queries" : "");
    }

    /** The label of the phase that says what arrives. */
    String testing() {
      return new Cell(maintenance, scheduler, 0, false).label();
    }
  }

  /**
   * What came of a phase, without its warm-up.
   *
   * @param cell which
   * @param recordsPerSecond written
   * @param variation standard deviation of the throughput of a sixtieth of the time, of its mean
   * @param p99Millis of a write from its arrival on
   * @param stalledParts of the time that a writer was held back, by cause
   * @param components disk components of all indexes, on average
   * @param cpuShare what the process had of all processors
   * @param queriesPerSecond one for each of {@link #SELECTIVITIES}; empty without queries
   * @param windows the throughput over time
   */
  public record Row(
      Cell cell,
      double recordsPerSecond,
      double variation,
      double p99Millis,
      Map<String, Double> stalledParts,
      double components,
      double cpuShare,
      List<Double> queriesPerSecond,
      List<Double> windows) {
    /** The part of the time that a writer was held back, for whatever cause. */
    double stalledPart() {
      return stalledParts.values().stream().mapToDouble(Double::doubleValue).sum();
    }
  }

  @Override
  public String label() {
    return label;
  }

  /** How many records queries find, in words. */
  public static String selectivities() {
    return SELECTIVITIES.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  /** What it shows. */
  public String title() {
    return title;
  }

  /** Its phases, in order; a testing phase before what depends on it. */
  public List<Cell> cells() {
    return cells;
  }

  /** What the paper says, and whether it is so in some rows, one for each of the cells. */
  public List<Verdict> verdicts(List<Row> rows) {
    Map<String, Row> byLabel = new LinkedHashMap<>();
    rows.forEach(row -> byLabel.put(row.cell.label(), row));
    return verdicts.apply(new Rows(byLabel));
  }

  /** Phases of figures. */
  private static final class Plans {
    static final String LAZY = "lazy";
    static final String EAGER = "eager";
    static final String FAIR = "fair";
    static final String GREEDY = "greedy";
    static final int PAPER_PERCENT = 95;
    static final List<Integer> PERCENT = List.of(50, 60, 70, 80, 90, 95);

    private Plans() {}

    private static Cell testing(String maintenance) {
      return new Cell(maintenance, FAIR, 0, false);
    }

    static List<Cell> running(String maintenance) {
      return List.of(
          testing(maintenance),
          new Cell(maintenance, FAIR, PAPER_PERCENT, false),
          new Cell(maintenance, GREEDY, PAPER_PERCENT, false));
    }

    static List<Cell> queries(String maintenance) {
      return List.of(
          testing(maintenance),
          new Cell(maintenance, FAIR, PAPER_PERCENT, true),
          new Cell(maintenance, GREEDY, PAPER_PERCENT, true));
    }

    static List<Cell> utilizations() {
      List<Cell> cells = new ArrayList<>(List.of(testing(EAGER)));
      for (String scheduler : List.of(FAIR, GREEDY)) {
        PERCENT.forEach(percent -> cells.add(new Cell(EAGER, scheduler, percent, false)));
      }
      return cells;
    }

    static List<Cell> join(List<Cell> some, List<Cell> more) {
      List<Cell> all = new ArrayList<>(some);
      all.addAll(more);
      return all;
    }
  }

  /**
   * What the paper says, held against phases.
   *
   * @param byLabel of their cells
   */
  private record Rows(Map<String, Row> byLabel) {
    /**
     * What the paper's plots show as small is below a second of two hours: at a hundredth of the
     * time ten milliseconds, and as many again because a force takes as long at any scale.
     */
    static final double SMALL_MILLIS = 20;

    /** The throughput of windows differs by so much where it is stable. */
    static final double STABLE = 0.1;

    /** Writers that are held back for less were not. */
    static final double NO_STALL_PART = 0.05;

    /** Rates of equal runs differ by so much. */
    static final double NOISE = 0.02;

    private Row of(String maintenance, String scheduler, int percent, boolean queries) {
      Row row = byLabel.get(new Cell(maintenance, scheduler, percent, queries).label());
      if (row == null) {
        throw new IllegalStateException(
            "no phase of " + maintenance + ", " + scheduler + " at " + percent + " %");
      }
      return row;
    }

    private Row written(String maintenance, String scheduler) {
      return of(maintenance, scheduler, Plans.PAPER_PERCENT, false);
    }

    List<Verdict> ofLazyWrites() {
      Row fair = written(Plans.LAZY, Plans.FAIR);
      Row greedy = written(Plans.LAZY, Plans.GREEDY);
      return List.of(
          new Verdict(
              "the write throughput is relatively stable",
              text(
                  "it varies by %.1f %% under fair, %.1f %% under greedy",
                  100 * fair.variation, 100 * greedy.variation),
              fair.variation < STABLE && greedy.variation < STABLE),
          new Verdict(
              "write latencies are low, as with one LSM-tree",
              p99(fair, greedy),
              fair.p99Millis < SMALL_MILLIS && greedy.p99Millis < SMALL_MILLIS),
          fewerComponents(fair, greedy));
    }

    List<Verdict> ofEagerWrites() {
      Row testing = of(Plans.EAGER, Plans.FAIR, 0, false);
      Row fair = written(Plans.EAGER, Plans.FAIR);
      Row greedy = written(Plans.EAGER, Plans.GREEDY);
      Row lazy = written(Plans.LAZY, Plans.FAIR);
      return List.of(
          new Verdict(
              "the throughput is bounded by point lookups, not by merges",
              text(
                  "%.0f records/s in the testing phase, held back for %.1f %% of it; lazily %.0f",
                  testing.recordsPerSecond,
                  100 * testing.stalledPart(),
                  of(Plans.LAZY, Plans.FAIR, 0, false).recordsPerSecond),
              testing.stalledPart() < NO_STALL_PART),
          new Verdict(
              "there are regular fluctuations in the write throughput, unlike lazily",
              text(
                  "it varies by %.1f %% under fair, lazily %.1f %%",
                  100 * fair.variation, 100 * lazy.variation),
              fair.variation > 2 * lazy.variation),
          new Verdict(
              "that results in larger write latencies than lazily",
              text("p99 %.1f ms, lazily %.1f ms", fair.p99Millis, lazy.p99Millis),
              fair.p99Millis > SMALL_MILLIS && fair.p99Millis > 2 * lazy.p99Millis),
          new Verdict(
              "greedy still has lower write latencies",
              p99(fair, greedy),
              greedy.p99Millis < fair.p99Millis),
          fewerComponents(fair, greedy));
    }

    List<Verdict> ofUtilizations() {
      List<Verdict> verdicts = new ArrayList<>();
      for (String scheduler : List.of(Plans.FAIR, Plans.GREEDY)) {
        StringBuilder found = new StringBuilder("p99 at 50, 60, 70, 80, 90, 95 %:");
        for (int percent : Plans.PERCENT) {
          found.append(text(" %.1f", of(Plans.EAGER, scheduler, percent, false).p99Millis));
        }
        verdicts.add(
            new Verdict(
                scheduler
                    + ": the latency becomes relatively small once the utilization is below 80 %",
                found.append(" ms").toString(),
                of(Plans.EAGER, scheduler, 70, false).p99Millis < SMALL_MILLIS
                    && of(Plans.EAGER, scheduler, 95, false).p99Millis > SMALL_MILLIS));
      }
      return verdicts;
    }

    List<Verdict> ofQueries(String maintenance) {
      Row fair = of(maintenance, Plans.FAIR, Plans.PAPER_PERCENT, true);
      Row greedy = of(maintenance, Plans.GREEDY, Plans.PAPER_PERCENT, true);
      List<Verdict> verdicts = new ArrayList<>();
      for (int i = 0; i < SELECTIVITIES.size(); i++) {
        verdicts.add(
            new Verdict(
                "greedy improves queries of %d records".formatted(SELECTIVITIES.get(i)),
                text(
                    "%.1f queries/s, fair %.1f",
                    greedy.queriesPerSecond.get(i), fair.queriesPerSecond.get(i)),
                greedy.queriesPerSecond.get(i) > (1 + NOISE) * fair.queriesPerSecond.get(i)));
      }
      verdicts.add(fewerComponents(fair, greedy));
      return verdicts;
    }

    List<Verdict> ofEagerQueries() {
      List<Verdict> verdicts = new ArrayList<>(ofQueries(Plans.EAGER));
      double eager = improvement(Plans.EAGER);
      double lazy = improvement(Plans.LAZY);
      verdicts.add(
          new Verdict(
              "the improvement is less significant under the eager strategy",
              text(
                  "greedy answers %.2f times as many as fair (geometric mean), lazily %.2f",
                  eager, lazy),
              eager < (1 - NOISE) * lazy));
      return verdicts;
    }

    private double improvement(String maintenance) {
      Row fair = of(maintenance, Plans.FAIR, Plans.PAPER_PERCENT, true);
      Row greedy = of(maintenance, Plans.GREEDY, Plans.PAPER_PERCENT, true);
      double product = 1;
      for (int i = 0; i < SELECTIVITIES.size(); i++) {
        product *= greedy.queriesPerSecond.get(i) / fair.queriesPerSecond.get(i);
      }
      return Math.pow(product, 1.0 / SELECTIVITIES.size());
    }

    private static Verdict fewerComponents(Row fair, Row greedy) {
      return new Verdict(
          "greedy keeps fewer disk components",
          text("%.1f on average, fair %.1f", greedy.components, fair.components),
          greedy.components < fair.components);
    }

    private static String p99(Row fair, Row greedy) {
      return text("p99 %.1f ms under fair, %.1f ms under greedy", fair.p99Millis, greedy.p99Millis);
    }

    private static String text(String format, Object... values) {
      return String.format(Locale.ROOT, format, values);
    }
  }
}
