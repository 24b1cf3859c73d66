package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.store.Store;
import dev.varve.benchmarks.store.StoreSettings;

/** Opens a store by its label. */
@FunctionalInterface
interface StoreOpener {
  /** Opens it, creating it where there is none; the caller closes it. */
  Store open(String label, StoreSettings settings) throws BenchmarkException;
}
