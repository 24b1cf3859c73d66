package dev.varve.benchmarks.index;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.Measurement;
import java.util.function.DoubleConsumer;

/** One store with its data, in its child. Confined to one thread. */
public interface IndexBench extends AutoCloseable {
  /**
   * Runs a phase.
   *
   * @param progress is told the share that is done
   */
  Measurement run(String phase, int round, DoubleConsumer progress) throws BenchmarkException;

  @Override
  void close() throws BenchmarkException;

  /** Opens one. */
  @FunctionalInterface
  interface Opener {
    /** Opens the store that a request names; the caller closes the bench. */
    IndexBench open(IndexRequest request) throws BenchmarkException;
  }
}
