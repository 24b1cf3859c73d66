package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.store.StoreSettings;
import org.jspecify.annotations.Nullable;

/**
 * What the parent asks of a child, which opens the store at the first request.
 *
 * @param opening the store, at the first request; null at others
 * @param work what to run; with an opening, what to run before on a store that is thrown away, so
 *     that a load is not one of the JVM's compilers; null, without an opening, to close the store
 *     and end
 */
record Request(@Nullable Opening opening, @Nullable Work work) {
  /**
   * A store and the records that it gets.
   *
   * @param store which one
   * @param settings how to open it
   * @param order of keys
   * @param seed of everything that is random
   */
  record Opening(String store, StoreSettings settings, KeyOrder order, long seed) {}

  static Request open(Opening opening, @Nullable Work warmUp) {
    return new Request(opening, warmUp);
  }

  static Request run(Work work) {
    return new Request(null, work);
  }

  static Request close() {
    return new Request(null, null);
  }
}
