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
 * @param tuner of Varve's engine; other stores have none
 * @param work {@link #LOAD} or a {@link YcsbPass}; null to close the store and end
 */
record YcsbRequest(YcsbStore store, StoreSettings settings, String tuner, @Nullable Work work) {
  /** The task that puts the records in. */
  static final String LOAD = "load";
}
