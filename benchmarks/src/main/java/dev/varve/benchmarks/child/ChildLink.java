package dev.varve.benchmarks.child;

import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/** The parent's end of a child. Confined to the main thread, but for {@link #kill}. */
public interface ChildLink extends AutoCloseable {
  /**
   * Asks and waits for what comes of it.
   *
   * @param request a record, which the child reads as JSON
   * @param result the class of what comes back
   * @param seconds after which the child is taken for hung
   * @param progress is told the share that is done
   * @return what came of it; null where there is nothing to say
   */
  <R> @Nullable R ask(Object request, Class<R> result, double seconds, DoubleConsumer progress)
      throws BenchmarkException;

  /** Ends the child at once, as a crash would; may be called from any thread. */
  void kill();

  /** Ends the child, however it is; idempotent. */
  @Override
  void close();
}
