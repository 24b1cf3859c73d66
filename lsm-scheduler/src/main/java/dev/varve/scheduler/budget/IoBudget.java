package dev.varve.scheduler.budget;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.maintenance.MaintenanceTask.Kind;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bytes per second that all flushes and merges on one device may write together, flushes first.
 * It is shared by whoever writes to the device: ask {@link #waitNanos} before a batch, wait, ask
 * again, and {@link #charge} what was written. Thread-safe; it holds no clock and makes nobody wait
 * itself.
 */
public final class IoBudget {
  private static final long BATCHES_PER_SECOND = 100;
  private static final long SMALLEST_BATCH_BYTES = 4096;

  private final long bytesPerSecond;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private BudgetState state = BudgetState.IDLE;

  private IoBudget(long bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /** A budget that never makes anybody wait. */
  public static IoBudget unlimited() {
    return new IoBudget(Long.MAX_VALUE);
  }

  /** A budget of at least one byte per second. */
  public static IoBudget ofBytesPerSecond(long bytesPerSecond) {
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException("I/O budget of " + bytesPerSecond + " bytes per second");
    }
    return new IoBudget(bytesPerSecond);
  }

  /** The rate; {@link Long#MAX_VALUE} for none. */
  public long bytesPerSecond() {
    return bytesPerSecond;
  }

  /** Whether there is a rate to keep to. */
  public boolean limited() {
    return bytesPerSecond != Long.MAX_VALUE;
  }

  /**
   * The most that should be written between two questions, so that one batch is a small part of a
   * second; a lower bound keeps tiny budgets from writing page by page.
   */
  public long batchBytes() {
    return Math.max(SMALLEST_BATCH_BYTES, bytesPerSecond / BATCHES_PER_SECOND);
  }

  /** How long a write has to wait from now on; 0 to begin. */
  public long waitNanos(Kind kind, long nowNanos) {
    if (!limited()) {
      return 0;
    }
    lock.lock();
    try {
      return state.waitNanos(kind, nowNanos);
    } finally {
      lock.unlock();
    }
  }

  /** Charges bytes that were written just now. */
  public void charge(Kind kind, long bytes, long nowNanos) {
    if (!limited()) {
      return;
    }
    lock.lock();
    try {
      state = state.charge(kind, bytesPerSecond, bytes, nowNanos);
    } finally {
      lock.unlock();
    }
  }
}
