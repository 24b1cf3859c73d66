package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.store.StoreSettings;
import org.jspecify.annotations.Nullable;

/**
 * What the parent asks of a child, which opens the store at the first request. All of a process are
 * over one workload, which goes on where it was.
 *
 * @param store which one
 * @param settings how to open it
 * @param maintenance of Varve's engine
 * @param paced what is done, {@link #LOAD} or a {@link YcsbPass}; null to close the store and end
 */
record YcsbRequest(
    YcsbStore store, StoreSettings settings, Maintenance maintenance, @Nullable Paced paced) {
  /** The task that puts the records in. */
  static final String LOAD = "load";

  /**
   * Work at a pace.
   *
   * @param work what is done
   * @param perSecond how many of its operations arrive in a second, evenly; 0 for as many as the
   *     store takes
   */
  record Paced(Work work, double perSecond) {}
}
