package dev.varve.benchmarks.store;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What a read from a device takes longer than one from the system's page cache, in which the files
 * of small experiments are. Thread-safe.
 */
public final class ReadDelay {
  /** None. */
  public static final ReadDelay NONE = new ReadDelay(0);

  private volatile long nanos;

  /** Whether the thread pays; null where each does. */
  private final @Nullable ThreadLocal<Boolean> paying;

  /** A delay of so many nanoseconds. */
  public ReadDelay(long nanos) {
    this(nanos, null);
  }

  private ReadDelay(long nanos, @Nullable ThreadLocal<Boolean> paying) {
    this.nanos = nanos;
    this.paying = paying;
  }

  /** One that only threads pay that {@link #join}. */
  public static ReadDelay ofThreadsThatJoin(long nanos) {
    return new ReadDelay(nanos, ThreadLocal.withInitial(() -> false));
  }

  /** From now on this thread pays. */
  public void join() {
    if (paying != null) {
      paying.set(true);
    }
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
    if (wait > 0 && (paying == null || paying.get())) {
      LockSupport.parkNanos(wait);
    }
  }
}
