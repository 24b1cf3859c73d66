package dev.varve.benchmarks.child;

import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What a child does for its parent: one implementation for each kind of comparison. Confined to the
 * main thread of a child, which opens what a request names and ends with it.
 *
 * @param <Q> the record that a request is, read as JSON
 */
public interface Workload<Q> {
  /** The class of requests. */
  Class<Q> requestType();

  /**
   * Does what is asked.
   *
   * @param progress is told the share that is done
   * @return what came of it, a record that is written as JSON; null where there is nothing to say
   */
  @Nullable Object answer(Q request, DoubleConsumer progress) throws BenchmarkException;

  /** Whether the process ends with this request. */
  default boolean isLast(Q request) {
    return false;
  }
}
