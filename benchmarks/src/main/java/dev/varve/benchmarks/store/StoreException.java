package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;

/** A store failed; the cause is its own exception. */
public final class StoreException extends BenchmarkException {
  private static final long serialVersionUID = 1;

  /** Says what it did not do. */
  public StoreException(String message) {
    super(message);
  }

  /** Wraps what a store threw. */
  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
