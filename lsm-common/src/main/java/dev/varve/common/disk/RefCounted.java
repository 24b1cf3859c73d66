package dev.varve.common.disk;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A count of those who use something. It begins at one, for the owner; when the last user lets go,
 * the action given at construction runs once, on that thread. Thread-safe.
 */
public final class RefCounted {
  private static final VarHandle COUNT;

  static {
    try {
      COUNT = MethodHandles.lookup().findVarHandle(RefCounted.class, "count", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Runnable onLastRelease;

  @SuppressWarnings("UnusedVariable") // accessed through COUNT
  private volatile int count = 1;

  /** Counts one user. */
  public RefCounted(Runnable onLastRelease) {
    this.onLastRelease = onLastRelease;
  }

  /** Adds a user; false when the last one has let go already. */
  public boolean acquire() {
    int current = (int) COUNT.getAcquire(this);
    while (current > 0) {
      int witness = (int) COUNT.compareAndExchange(this, current, current + 1);
      if (witness == current) {
        return true;
      }
      current = witness;
    }
    return false;
  }

  /** Lets go; the last one runs the action. */
  public void release() {
    int before = (int) COUNT.getAndAdd(this, -1);
    if (before <= 0) {
      throw new IllegalStateException("released more often than acquired");
    }
    if (before == 1) {
      onLastRelease.run();
    }
  }
}
