package dev.varve.transaction.lock;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.env.Signal;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.error.ConflictException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Shared and exclusive locks on 64-bit resources, held until their owner releases them: two-phase
 * locking is the owner's to keep. An owner may lock what it holds again; a shared lock becomes
 * exclusive on demand. A free resource is locked without allocation. Queues are served first come,
 * first served.
 *
 * <p>A request that would close a circle of waits is refused when it is made, and the requester is
 * the victim. Thread-safe. Lock order: detection lock, then the lock of one stripe.
 *
 * <p>Implementation note: why no circle is missed and no innocent refused. (1) Waits begin only
 * under the detection lock, so a new circle must pass through the request being made. (2) Edges of
 * the graph are read one resource at a time. An owner that is found waiting has been waiting since
 * before the detection began, so the locks that led to it were held all the time.
 */
public final class LockTable {
  private static final int STRIPE_BITS = 6;

  private final TaskExecutor executor;
  private final LockStripe[] stripes = new LockStripe[1 << STRIPE_BITS];
  private final ReentrantLock detectionLock = new ReentrantLock();

  @GuardedBy("detectionLock")
  private long detections;

  private final AtomicLong owners = new AtomicLong();
  private final AtomicLong waits = new AtomicLong();
  private final AtomicLong deadlocks = new AtomicLong();
  private final AtomicLong timeouts = new AtomicLong();

  /** An empty table whose waits run on an executor's signals. */
  public LockTable(TaskExecutor executor) {
    this.executor = executor;
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = new LockStripe();
    }
  }

  /** A new owner, which holds nothing; one per session, not one per lock. */
  public LockOwner newOwner() {
    return new LockOwner(owners.incrementAndGet(), executor.newSignal());
  }

  /** Locks a resource if that takes no waiting; null, with nothing changed, otherwise. */
  public @Nullable LockGrant tryLock(LockOwner owner, long resource, LockMode mode) {
    LockGrant grant = stripe(resource).tryLock(owner, resource, mode);
    if (grant == LockGrant.ACQUIRED) {
      owner.add(resource);
    }
    return grant;
  }

  /**
   * Locks a resource, waiting for others if need be.
   *
   * @param timeoutNanos longest wait; 0 to refuse at once, {@link Signal#FOREVER} for no bound
   * @throws ConflictException with {@code DEADLOCK} when waiting would close a circle, with {@code
   *     LOCK_TIMEOUT} when the time ran out or the thread was interrupted; the owner keeps what it
   *     held before
   */
  public LockGrant lock(LockOwner owner, long resource, LockMode mode, long timeoutNanos)
      throws ConflictException {
    LockStripe stripe = stripe(resource);
    LockGrant grant = stripe.tryLock(owner, resource, mode);
    if (grant == null) {
      grant = lockSlowly(stripe, new LockRequest(owner, resource, mode), timeoutNanos);
    }
    if (grant == LockGrant.ACQUIRED) {
      owner.add(resource);
    }
    return grant;
  }

  private LockGrant lockSlowly(LockStripe stripe, LockRequest request, long timeoutNanos)
      throws ConflictException {
    if (timeoutNanos <= 0) {
      timeouts.incrementAndGet();
      throw refused(request, "is locked by others");
    }
    boolean held = holds(request.owner, request.resource);
    detectionLock.lock();
    try {
      LockGrant grant = stripe.tryLockOrEnqueue(request);
      if (grant != null) {
        return grant;
      }
      if (closesCircle(request.owner) && stripe.withdraw(request)) {
        deadlocks.incrementAndGet();
        throw new ConflictException(
            ConflictException.Reason.DEADLOCK,
            request.owner
                + " was chosen as victim of a deadlock, waiting for "
                + request.mode
                + " on resource "
                + Long.toHexString(request.resource));
      }
    } finally {
      detectionLock.unlock();
    }
    waits.incrementAndGet();
    request.owner.granted().await(() -> request.granted, timeoutNanos);
    if (stripe.withdraw(request)) {
      timeouts.incrementAndGet();
      throw refused(request, "is still locked by others after " + timeoutNanos / 1_000_000 + " ms");
    }
    return held ? LockGrant.UPGRADED : LockGrant.ACQUIRED;
  }

  private static ConflictException refused(LockRequest request, String why) {
    return ConflictException.afterWait(
        ConflictException.Reason.LOCK_TIMEOUT,
        "resource " + Long.toHexString(request.resource) + " " + why);
  }

  private static boolean holds(LockOwner owner, long resource) {
    for (int i = 0; i < owner.held(); i++) {
      if (owner.resource(i) == resource) {
        return true;
      }
    }
    return false;
  }

  /** Whether following waits from an owner leads back to it. */
  @GuardedBy("detectionLock")
  private boolean closesCircle(LockOwner start) {
    long detection = ++detections;
    ArrayDeque<LockOwner> toVisit = new ArrayDeque<>();
    ArrayList<LockOwner> blockers = new ArrayList<>();
    toVisit.add(start);
    while (true) {
      LockOwner owner = toVisit.poll();
      if (owner == null) {
        return false;
      }
      LockRequest request = owner.waitingFor;
      if (request == null) {
        continue;
      }
      blockers.clear();
      stripe(request.resource).addBlockers(request, blockers);
      for (LockOwner blocker : blockers) {
        if (blocker == start) {
          return true;
        }
        if (blocker.visited != detection) {
          blocker.visited = detection;
          toVisit.add(blocker);
        }
      }
    }
  }

  /** Gives one resource back that the owner holds. */
  public void release(LockOwner owner, long resource) {
    if (!owner.remove(resource)) {
      throw new IllegalStateException(owner + " does not hold " + Long.toHexString(resource));
    }
    stripe(resource).release(owner, resource);
  }

  /** Gives back everything that an owner holds. */
  public void releaseAll(LockOwner owner) {
    for (int i = owner.held() - 1; i >= 0; i--) {
      long resource = owner.resource(i);
      stripe(resource).release(owner, resource);
    }
    owner.clear();
  }

  /**
   * Whether another owner holds a resource exclusively, so that a reader would see changes that are
   * not committed. Takes no lock.
   *
   * @param owner the one that asks, or null for one that holds nothing
   */
  public boolean exclusivelyLockedByOther(long resource, @Nullable LockOwner owner) {
    LockOwner holder = stripe(resource).exclusiveHolder(resource);
    return holder != null && holder != owner;
  }

  /** What the table has seen. */
  public LockStats stats() {
    int locked = 0;
    for (LockStripe stripe : stripes) {
      locked += stripe.size();
    }
    return new LockStats(waits.get(), deadlocks.get(), timeouts.get(), locked);
  }

  private LockStripe stripe(long resource) {
    return stripes[(int) (LockStripe.spread(resource) >>> (Long.SIZE - STRIPE_BITS))];
  }
}
