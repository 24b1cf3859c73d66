package dev.varve.benchmarks.index;

import dev.varve.benchmarks.kv.BenchmarkException;
import dev.varve.benchmarks.kv.Measurement;
import java.util.function.DoubleConsumer;

/** The parent's end of a child. Confined to the main thread, but for {@link #kill}. */
public interface IndexLink extends AutoCloseable {
  /**
   * Asks and waits for what comes of it.
   *
   * @param seconds after which the child is taken for hung
   * @param progress is told the share that is done
   */
  Measurement ask(IndexRequest request, double seconds, DoubleConsumer progress)
      throws BenchmarkException;

  /** Ends the child at once; may be called from any thread. */
  void kill();

  /** Ends the child, however it is; idempotent. */
  @Override
  void close();

  /** Starts children. */
  @FunctionalInterface
  interface Starter {
    /** Starts one for a contender; the caller closes it. */
    IndexLink start(IndexContender contender) throws BenchmarkException;
  }
}
