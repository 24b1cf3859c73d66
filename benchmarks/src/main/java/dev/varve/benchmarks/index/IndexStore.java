package dev.varve.benchmarks.index;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.store.StoreFigures;

/** An index under comparison. Confined to one thread. */
public interface IndexStore extends AutoCloseable {
  /** Shows queries everything that was written, and waits for the background work to end. */
  void settle() throws BenchmarkException;

  /** Makes one component of all where the store has components. */
  default void compact() throws BenchmarkException {
    throw new UnsupportedOperationException("nobody asks for this");
  }

  /** What the store says about itself. */
  StoreFigures figures() throws BenchmarkException;

  /** Pages that were not in its cache since it was opened; 0 where it does not say. */
  default long cacheMisses() {
    return 0;
  }

  @Override
  void close() throws BenchmarkException;

  /** What puts records of one kind into an index, and asks for them; all else is the index's. */
  interface Delegating extends IndexStore {
    /** The index, which is closed with this. */
    IndexStore index();

    @Override
    default void settle() throws BenchmarkException {
      index().settle();
    }

    @Override
    default void compact() throws BenchmarkException {
      index().compact();
    }

    @Override
    default StoreFigures figures() throws BenchmarkException {
      return index().figures();
    }

    @Override
    default long cacheMisses() {
      return index().cacheMisses();
    }

    @Override
    default void close() throws BenchmarkException {
      index().close();
    }
  }
}
