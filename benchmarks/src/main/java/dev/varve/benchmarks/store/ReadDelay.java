package dev.varve.benchmarks.store;

import java.util.concurrent.locks.LockSupport;

/**
 * What a read from a device takes longer than one from the system's page cache, in which the files
 * of small experiments are. Thread-safe.
 */
public final class ReadDelay {
  /** None. */
  public static final ReadDelay NONE = new ReadDelay(0);

  private volatile long nanos;

  /** A delay of so many nanoseconds. */
  public ReadDelay(long nanos) {
    this.nanos = nanos;
  }

  /** The delay now. */
  public long nanos() {
    return nanos;
  }

  /** Changes it. */
  public void set(long changed) {
    assert changed >= 0 : "a delay of " + changed + " ns";
    nanos = changed;
  }

  /** Waits, in the thread that reads. */
  public void pay() {
    long wait = nanos;
    if (wait > 0) {
      LockSupport.parkNanos(wait);
    }
  }
}
