package dev.varve.benchmarks.kv;

import static dev.varve.benchmarks.kv.Action.COMMIT;
import static dev.varve.benchmarks.kv.Action.DELETE;
import static dev.varve.benchmarks.kv.Action.LOAD;
import static dev.varve.benchmarks.kv.Action.LOAD_CHECKED;
import static dev.varve.benchmarks.kv.Action.MIXED;
import static dev.varve.benchmarks.kv.Action.OVERWRITE;
import static dev.varve.benchmarks.kv.Action.READ;
import static dev.varve.benchmarks.kv.Action.READ_ABSENT;
import static dev.varve.benchmarks.kv.Action.READ_COLD;
import static dev.varve.benchmarks.kv.Action.RECOVER;
import static dev.varve.benchmarks.kv.Action.SCAN_ALL;
import static dev.varve.benchmarks.kv.Action.SCAN_BACKWARD;
import static dev.varve.benchmarks.kv.Action.SCAN_FORWARD;
import static dev.varve.benchmarks.kv.Action.UPDATE;

import java.util.List;

/**
 * One thing that every store does.
 *
 * @param suite where it belongs
 * @param name its name within the suite
 * @param title what it is, in a line
 * @param data the records that it works on
 * @param action what it does
 * @param threads how many do it at a time
 */
public record Phase(Suite suite, String name, String title, Data data, Action action, int threads) {
  /** All phases in the order in which they run: what destroys data comes after what reads it. */
  public static final List<Phase> ALL =
      List.of(
          main("load-unlogged", "Load without a log", Data.UNLOGGED, LOAD, 1),
          main("load-2-writers", "Load by two writers", Data.TWO_WRITERS, LOAD, 2),
          main("load-checked", "Load, each key checked to be new", Data.CHECKED, LOAD_CHECKED, 1),
          main("load", "Load, surviving a process crash", Data.MAIN, LOAD, 1),
          main("read-cold", "Read records, store just opened", Data.MAIN, READ_COLD, 1),
          main("read-hit", "Read records", Data.MAIN, READ, 1),
          main("read-hit-2", "Read records, 2 threads", Data.MAIN, READ, 2),
          main("read-miss", "Look for absent keys", Data.MAIN, READ_ABSENT, 1),
          main("scan", "Scan 100 records", Data.MAIN, SCAN_FORWARD, 1),
          main("scan-back", "Scan 100 records backward", Data.MAIN, SCAN_BACKWARD, 1),
          main("full-scan", "Scan all records (rows)", Data.MAIN, SCAN_ALL, 1),
          of(Suite.BEYOND_CACHE, "read-hit", "Read records, cache of a quarter", READ, 1),
          of(Suite.BEYOND_CACHE, "read-hit-2", "The same, 2 threads", READ, 2),
          of(Suite.BEYOND_CACHE, "read-miss", "Look for absent keys", READ_ABSENT, 1),
          of(Suite.BEYOND_CACHE, "scan", "Scan 100 records", SCAN_FORWARD, 1),
          main("update", "Replace a fifth of the records", Data.MAIN, UPDATE, 1),
          main("mixed", "Read and replace, half and half", Data.MAIN, MIXED, 1),
          main("delete", "Delete a fifth of the records", Data.MAIN, DELETE, 1),
          main("read-after-delete", "Read records that are left", Data.MAIN, READ, 1),
          main("scan-after-delete", "Scan 100 of them", Data.MAIN, SCAN_FORWARD, 1),
          main("overwrite", "Replace all, three times over", Data.OVERWRITTEN, OVERWRITE, 1),
          of(Suite.LARGE_VALUES, "load", "Load, values ten times as large", LOAD, 1),
          of(Suite.LARGE_VALUES, "read-hit", "Read records", READ, 1),
          of(Suite.LARGE_VALUES, "read-miss", "Look for absent keys", READ_ABSENT, 1),
          of(Suite.LARGE_VALUES, "scan", "Scan 100 records", SCAN_FORWARD, 1),
          of(Suite.LARGE_VALUES, "full-scan", "Scan all records (rows)", SCAN_ALL, 1),
          of(Suite.INCREASING, "load", "Load in increasing order", LOAD, 1),
          of(Suite.INCREASING, "read-hit", "Read records", READ, 1),
          of(Suite.INCREASING, "scan", "Scan 100 records", SCAN_FORWARD, 1),
          of(Suite.DURABLE, "commit", "Forced puts", COMMIT, 1),
          of(Suite.DURABLE, "commit-16", "Forced puts, 16 threads", COMMIT, 16),
          of(Suite.RECOVERY, "open", "Open after a kill, all in the log", RECOVER, 1),
          new Phase(Suite.SCALE, "load-1", "Load of n", Data.SCALE_1, LOAD, 1),
          new Phase(Suite.SCALE, "load-2", "Load of 2 n", Data.SCALE_2, LOAD, 1),
          new Phase(Suite.SCALE, "load-4", "Load of 4 n", Data.SCALE_4, LOAD, 1),
          new Phase(Suite.SCALE, "load-10", "Load of 10 n", Data.SCALE_10, LOAD, 1));

  private static Phase main(String name, String title, Data data, Action action, int threads) {
    return new Phase(Suite.MAIN, name, title, data, action, threads);
  }

  private static Phase of(Suite suite, String name, String title, Action action, int threads) {
    Data data =
        switch (suite) {
          case LARGE_VALUES -> Data.LARGE;
          case INCREASING -> Data.INCREASING;
          case DURABLE -> threads == 1 ? Data.DURABLE : Data.DURABLE_SHARED;
          case RECOVERY -> Data.LOG;
          case MAIN, BEYOND_CACHE, SCALE -> Data.MAIN;
        };
    return new Phase(suite, name, title, data, action, threads);
  }

  /** Its name among all phases. */
  public String id() {
    return suite.label() + '.' + name;
  }

  /** Whether it is meant by a name, with its suite or without. */
  public boolean isCalled(String called) {
    return called.equals(name) || called.equals(id());
  }

  /**
   * Whether a store that can't give the level of durability is left out; otherwise it runs at the
   * level below, and the report says so.
   */
  boolean demandsDurability() {
    return data == Data.TWO_WRITERS
        || (data == Data.MAIN && action == LOAD)
        || action == COMMIT
        || action == RECOVER;
  }
}
