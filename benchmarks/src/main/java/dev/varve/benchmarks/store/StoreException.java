package dev.varve.benchmarks.store;

/** A store failed; the cause is its own exception. */
public final class StoreException extends Exception {
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
