package dev.varve.btree.memory;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A node of a memory tree that is read without a lock. Its version is even when the node is stable
 * and odd while a writer changes it, as {@code StampedLock}'s. It is a superclass and no field, so
 * that a reader finds the version in the node's own cache line.
 *
 * <ol>
 *   <li>A reader takes {@link #stableVersion}, reads plain fields, and trusts nothing of what it
 *       read, not even enough to follow an address, until {@link #validate} said yes.
 *   <li>A writer moves the version it read from even to odd with {@link #tryLock}, which fails when
 *       anything changed since, and back to the next even number with {@link #unlock}.
 *   <li>An acquire fence before the second look at the version keeps the reads before it; a store
 *       fence after locking keeps the writes after it. So a reader who saw any write of a writer
 *       sees that the version moved, and one who validated is ordered after the last unlock.
 * </ol>
 *
 * Thread-safe.
 */
public abstract class VersionedNode {
  /** Spins on a locked node before the processor is offered to others. */
  private static final int SPINS = 64;

  private static final VarHandle VERSION;

  static {
    try {
      VERSION = MethodHandles.lookup().findVarHandle(VersionedNode.class, "version", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private long version;

  /** A stable node. */
  protected VersionedNode() {}

  /** Waits until no writer is in the node, and returns the version from which to read. */
  // A lock is held for well under a microsecond, unless its holder lost the processor: then giving
  // ours up is the fastest way to have it released. Progress does not depend on it.
  @SuppressWarnings("ThreadPriorityCheck")
  public final long stableVersion() {
    int spins = 0;
    while (true) {
      long seen = (long) VERSION.getAcquire(this);
      if ((seen & 1) == 0) {
        return seen;
      }
      if (++spins % SPINS == 0) {
        Thread.yield();
      } else {
        Thread.onSpinWait();
      }
    }
  }

  /** Whether everything that was read since the version was taken belongs together. */
  public final boolean validate(long seen) {
    VarHandle.acquireFence();
    return (long) VERSION.getOpaque(this) == seen;
  }

  /** Locks the node if its version is still the one that was read. */
  public final boolean tryLock(long seen) {
    if (!VERSION.compareAndSet(this, seen, seen + 1)) {
      return false;
    }
    VarHandle.storeStoreFence();
    return true;
  }

  /** Unlocks and returns the version that the node has then. */
  @CanIgnoreReturnValue
  public final long unlock() {
    assert (version & 1) != 0;
    long next = version + 1;
    VERSION.setRelease(this, next);
    return next;
  }
}
