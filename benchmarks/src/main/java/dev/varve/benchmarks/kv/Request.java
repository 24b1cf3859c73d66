package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.store.StoreSettings;
import org.jspecify.annotations.Nullable;

/**
 * What the parent asks of a child.
 *
 * @param verb what to do
 * @param store which store to open
 * @param settings how to open it
 * @param work what to run; when opening, what to run before on a store that is thrown away, so that
 *     a load is not one of the JVM's compilers
 */
record Request(
    Verb verb, @Nullable String store, @Nullable StoreSettings settings, @Nullable Work work) {
  /** What can be asked. */
  enum Verb {
    OPEN,
    RUN,
    CLOSE
  }

  static Request open(String store, StoreSettings settings, @Nullable Work warmUp) {
    return new Request(Verb.OPEN, store, settings, warmUp);
  }

  static Request run(Work work) {
    return new Request(Verb.RUN, null, null, work);
  }

  static Request close() {
    return new Request(Verb.CLOSE, null, null, null);
  }
}
