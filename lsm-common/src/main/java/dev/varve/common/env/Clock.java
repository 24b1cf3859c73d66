package dev.varve.common.env;

/** Time, as the engine sees it. Thread-safe. */
public interface Clock {
  /** Nanoseconds since an arbitrary origin; never goes back. */
  long nanoTime();

  /** Milliseconds since 1970-01-01T00:00Z; may jump. */
  long currentTimeMillis();
}
