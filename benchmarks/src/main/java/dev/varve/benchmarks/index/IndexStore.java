package dev.varve.benchmarks.index;

import dev.varve.benchmarks.store.StoreException;
import dev.varve.benchmarks.store.StoreFigures;

/** An index under comparison. Confined to one thread. */
public interface IndexStore extends AutoCloseable {
  /** Shows queries everything that was written, and waits for the background work to end. */
  void settle() throws StoreException;

  /** What the store says about itself. */
  StoreFigures figures() throws StoreException;

  /** Pages that were not in its cache since it was opened; 0 where it does not say. */
  default long cacheMisses() {
    return 0;
  }

  @Override
  void close() throws StoreException;
}
