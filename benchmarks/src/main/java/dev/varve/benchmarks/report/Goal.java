package dev.varve.benchmarks.report;

import dev.varve.benchmarks.kv.Phase;
import dev.varve.benchmarks.kv.Suite;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * Where the first store must stand, as data.
 *
 * @param title what it is about
 * @param phase id of the phase that decides
 * @param metric the figure that decides
 * @param factor how many times the best of the peers it must be; without peers the bound itself
 * @param against id of the phase whose figures it is held against
 * @param peers the stores whose figures count, of which the best is the bound
 */
public record Goal(
    String title, String phase, Metric metric, double factor, String against, List<String> peers) {
  private static final String VARVE = "varve";
  private static final String ROCKSDB = "rocksdb";
  private static final String ROCKSDB_DEFAULT = "rocksdb-default";
  private static final String ASTERIXDB = "asterixdb";
  private static final String LMDB = "lmdb";
  private static final String MVSTORE = "mvstore";
  private static final String[] ANY = {ROCKSDB, ROCKSDB_DEFAULT, ASTERIXDB, LMDB, MVSTORE};
  private static final double MOST_SPACE = 1.5;
  private static final double GIGABYTE = 1e9 / (1 << 20);

  /** The table of goals. */
  static final List<Goal> ALL = all();

  private static List<Goal> all() {
    List<Goal> goals = new ArrayList<>();
    goals.add(of("load", "load", Metric.SETTLED_RATE, 5, ROCKSDB, ROCKSDB_DEFAULT));
    goals.add(of("load: CPU of a record, \u00b5s", "load", Metric.CPU, 2));
    goals.add(of("load, no log", "load-unlogged", Metric.SETTLED_RATE, 3, ROCKSDB, ASTERIXDB));
    goals.add(of("load, keys checked", "load-checked", Metric.SETTLED_RATE, 5, ROCKSDB, ASTERIXDB));
    goals.add(of("read, just opened", "read-cold", Metric.RATE, 1, ROCKSDB, LMDB));
    goals.add(of("read hit", "read-hit", Metric.RATE, 1.3, LMDB));
    goals.add(of("read hit, 2 threads", "read-hit-2", Metric.RATE, 1.3, LMDB));
    goals.add(of("read miss", "read-miss", Metric.RATE, 2, ASTERIXDB, ROCKSDB, LMDB));
    goals.add(of("scan of 100", "scan", Metric.RATE, 1.2, LMDB));
    goals.add(of("full scan", "full-scan", Metric.RATE, 1.2, LMDB));
    goals.add(
        goal(
            "durable, 16 threads",
            "durable.commit-16",
            Metric.RATE,
            1.5,
            ROCKSDB,
            ROCKSDB_DEFAULT));
    goals.add(goal("durable, 1 thread", "durable.commit", Metric.RATE, 0.9, "device"));
    // RocksDB's defaults compress, and compression is a question of its own.
    // Without a log: two of the three have none, and a log writes each byte once more by itself.
    goals.add(
        of("load: bytes written", "load-unlogged", Metric.WRITTEN, 1, ROCKSDB, ASTERIXDB, LMDB));
    goals.add(of("load: size on disk", "load", Metric.SIZE, 1, ROCKSDB, ASTERIXDB, LMDB));
    goals.add(of("overwriting: space on disk", "overwrite", Metric.SPACE, MOST_SPACE));
    // AsterixDB's storage alone writes no log.
    goals.add(of("overwriting: bytes written", "overwrite", Metric.WRITTEN, 1, ROCKSDB, LMDB));
    goals.add(of("memory, MiB", "full-scan", Metric.MEMORY, GIGABYTE));
    goals.add(
        new Goal(
            "ten times the size",
            "scale.load-10",
            Metric.SETTLED_RATE,
            0.7,
            "scale.load-1",
            List.of(VARVE)));
    for (Phase phase : Phase.ALL) {
      if (phase.suite() == Suite.BEYOND_CACHE
          || phase.suite() == Suite.LARGE_VALUES
          || phase.suite() == Suite.INCREASING) {
        Metric metric = new PhaseFigures(phase).decisive();
        goals.add(goal(phase.id(), phase.id(), metric, 1, ANY));
      }
    }
    return List.copyOf(goals);
  }

  private static Goal of(String title, String name, Metric metric, double factor, String... peers) {
    return goal(title, Suite.MAIN.label() + '.' + name, metric, factor, peers);
  }

  /** A goal within one phase. */
  public static Goal goal(String title, String id, Metric metric, double factor, String... peers) {
    return new Goal(title, id, metric, factor, id, List.of(peers));
  }

  /** How a goal stands. */
  public enum Status {
    /** As demanded. */
    MET("met"),
    /** Not as demanded. */
    MISSED("NOT MET"),
    /** A phase or store that it needs did not run. */
    OPEN("not measured");

    private final String text;

    Status(String text) {
      this.text = text;
    }
  }

  /**
   * What came of a goal.
   *
   * @param title what it is about
   * @param phase id of the phase that decides
   * @param metric the figure that decides
   * @param demand what is demanded, in words
   * @param bound what the figure must reach, or stay below; 0 when nothing was measured
   * @param found the figure; 0 when nothing was measured
   * @param status how it stands
   */
  public record Outcome(
      String title,
      String phase,
      String metric,
      String demand,
      double bound,
      double found,
      Status status) {
    static final List<String> HEADINGS =
        List.of("goal", "phase", "figure", "demand", "bound", "varve", "");

    List<String> cells() {
      boolean open = status == Status.OPEN;
      return List.of(
          title,
          phase,
          metric,
          demand,
          open ? "-" : Metric.text(bound),
          open ? "-" : Metric.text(found),
          status.text);
    }
  }

  /** Holds results against it. */
  public Outcome check(List<Section> sections) {
    OptionalDouble found = figures(sections, phase, List.of(VARVE)).findFirst();
    OptionalDouble bound = bound(sections);
    if (found.isEmpty() || bound.isEmpty()) {
      return new Outcome(title, phase, metric.label(), demand(), 0, 0, Status.OPEN);
    }
    boolean met =
        metric.higherIsBetter()
            ? found.getAsDouble() >= bound.getAsDouble()
            : found.getAsDouble() <= bound.getAsDouble();
    return new Outcome(
        title,
        phase,
        metric.label(),
        demand(),
        bound.getAsDouble(),
        found.getAsDouble(),
        met ? Status.MET : Status.MISSED);
  }

  private OptionalDouble bound(List<Section> sections) {
    if (peers.isEmpty()) {
      return OptionalDouble.of(factor);
    }
    DoubleStream figures = figures(sections, against, peers);
    OptionalDouble best = metric.higherIsBetter() ? figures.max() : figures.min();
    return best.isPresent() ? OptionalDouble.of(best.getAsDouble() * factor) : best;
  }

  private DoubleStream figures(List<Section> sections, String id, List<String> stores) {
    return sections.stream()
        .filter(section -> section.id().equals(id))
        .flatMap(section -> stores.stream().flatMap(store -> section.comparable(store).stream()))
        .mapToDouble(metric::of);
  }

  private String demand() {
    String direction = metric.higherIsBetter() ? "at least" : "at most";
    if (peers.isEmpty()) {
      return direction + " " + Metric.text(factor);
    }
    String of = against.equals(phase) ? String.join(", ", peers) : against;
    if (peers.size() > 1) {
      of = "the best of " + (peers.size() == ANY.length ? "all" : of);
    }
    return String.format(Locale.ROOT, "%s %s x %s", direction, factor, of);
  }
}
