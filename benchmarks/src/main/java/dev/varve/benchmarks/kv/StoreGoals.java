package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.report.Goal;
import dev.varve.benchmarks.report.Metric;
import java.util.ArrayList;
import java.util.List;

/** Where Varve must stand among key-value stores. Thread-safe: no state. */
public final class StoreGoals {
  private static final String ROCKSDB = "rocksdb";
  private static final String ROCKSDB_DEFAULT = "rocksdb-default";
  private static final String ASTERIXDB = "asterixdb";
  private static final String LMDB = "lmdb";
  private static final String MVSTORE = "mvstore";
  private static final String[] ANY = {ROCKSDB, ROCKSDB_DEFAULT, ASTERIXDB, LMDB, MVSTORE};
  private static final double MOST_SPACE = 1.5;
  private static final double GIGABYTE = 1e9 / (1 << 20);

  /** All of them, in the order of the table. */
  public static final List<Goal> ALL = all();

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
        Goal.goal(
            "durable, 16 threads",
            "durable.commit-16",
            Metric.RATE,
            1.5,
            ROCKSDB,
            ROCKSDB_DEFAULT));
    goals.add(Goal.goal("durable, 1 thread", "durable.commit", Metric.RATE, 0.9, "device"));
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
            List.of("varve")));
    for (Phase phase : Phase.ALL) {
      if (phase.suite() == Suite.BEYOND_CACHE
          || phase.suite() == Suite.LARGE_VALUES
          || phase.suite() == Suite.INCREASING) {
        Metric metric = PhaseFigures.decisive(phase.action());
        goals.add(Goal.goal(phase.id(), phase.id(), metric, 1, ANY));
      }
    }
    return List.copyOf(goals);
  }

  private StoreGoals() {}

  private static Goal of(String title, String name, Metric metric, double factor, String... peers) {
    return Goal.goal(title, Suite.MAIN.label() + '.' + name, metric, factor, peers);
  }
}
