package dev.varve.benchmarks.child;

import org.jspecify.annotations.Nullable;

/** A store, its process or the machine failed; the message says which and how. */
public final class BenchmarkException extends Exception {
  private static final long serialVersionUID = 1;

  /** Says what failed. */
  public BenchmarkException(String message) {
    this(message, null);
  }

  /** Says what failed, and why. */
  public BenchmarkException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
