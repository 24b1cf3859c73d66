package dev.varve.benchmarks.index;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Work;
import java.util.function.DoubleConsumer;

/** One store with its data, in its child. Confined to one thread. */
public interface IndexBench extends AutoCloseable {
  /**
   * Runs the phase that some work names.
   *
   * @param progress is told the share that is done
   */
  Measurement run(Work work, DoubleConsumer progress) throws BenchmarkException;

  @Override
  void close() throws BenchmarkException;

  /** Opens one. */
  @FunctionalInterface
  interface Opener {
    /** Opens the store that a request names; the caller closes the bench. */
    IndexBench open(IndexRequest request) throws BenchmarkException;
  }
}
