package dev.varve.benchmarks.kv;

import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/** The parent's end of a child. Confined to the main thread, but for {@link #kill}. */
interface StoreLink extends AutoCloseable {
  /**
   * Asks and waits for what comes of it.
   *
   * @param seconds after which the child is taken for hung
   * @param progress is told the share that is done
   * @return what was measured; null where there is nothing to measure
   */
  @Nullable Measurement ask(Request request, double seconds, DoubleConsumer progress)
      throws BenchmarkException;

  /** Ends the child at once, as a crash would; may be called from any thread. */
  void kill();

  /** Ends the child, however it is; idempotent. */
  @Override
  void close();

  /** Starts children. */
  @FunctionalInterface
  interface Starter {
    /** Starts one for a contender; the caller closes it. */
    StoreLink start(Contender contender, dev.varve.benchmarks.store.StoreSettings settings)
        throws BenchmarkException;
  }
}
