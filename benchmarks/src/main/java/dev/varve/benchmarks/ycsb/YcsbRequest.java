package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.store.StoreSettings;
import org.jspecify.annotations.Nullable;

/**
 * What the parent asks of a child, which opens the store at the first pass.
 *
 * @param store which one
 * @param settings how to open it
 * @param work a pass; null to close the store and end
 */
record YcsbRequest(YcsbStore store, StoreSettings settings, @Nullable Work work) {
  /**
   * A pass. All passes of a process are over one workload, which goes on where it was.
   *
   * @param workload which one; null to load the records
   * @param records how many there are, or will be after a load
   * @param operations of all threads together
   * @param threads each with a client of its own
   */
  record Work(@Nullable YcsbWorkload workload, long records, long operations, int threads) {}
}
