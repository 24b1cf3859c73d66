package dev.varve.transaction.lock;

import dev.varve.transaction.lock.LockOwner.Hold;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a resource with several holders or with waiters. First come, first served, except
 * that upgrades go before all others: the upgrader holds the resource shared, so no request behind
 * it could be served before. Guarded by the lock of the stripe.
 */
final class LockQueue {
  private final ArrayList<Hold> holders = new ArrayList<>(2);
  private final ArrayList<LockRequest> waiting = new ArrayList<>(2);
  private volatile @Nullable LockOwner exclusiveHolder;

  LockQueue(Hold holder) {
    addHolder(holder);
  }

  /** The owner that holds it exclusively, if any; readable without the lock. */
  @Nullable LockOwner exclusiveHolder() {
    return exclusiveHolder;
  }

  @Nullable Hold holdOf(LockOwner owner) {
    for (Hold hold : holders) {
      if (hold.owner() == owner) {
        return hold;
      }
    }
    return null;
  }

  boolean hasWaiters() {
    return !waiting.isEmpty();
  }

  /** The single holder when no owner waits: then no queue is needed any more. */
  @Nullable Hold onlyHolder() {
    return holders.size() == 1 && waiting.isEmpty() ? holders.get(0) : null;
  }

  boolean isUnused() {
    return holders.isEmpty() && waiting.isEmpty();
  }

  /** Grants at once what may be granted at once; null when the owner has to wait. */
  @Nullable LockGrant tryGrant(LockOwner owner, LockMode mode) {
    Hold mine = holdOf(owner);
    if (mine != null && mine.mode().covers(mode)) {
      return LockGrant.HELD;
    }
    if (mine == null && !waiting.isEmpty()) {
      return null;
    }
    if (!compatible(owner, mode)) {
      return null;
    }
    grant(owner, mode);
    return mine == null ? LockGrant.ACQUIRED : LockGrant.UPGRADED;
  }

  private boolean compatible(LockOwner owner, LockMode mode) {
    for (Hold hold : holders) {
      if (hold.owner() != owner && !mode.compatibleWith(hold.mode())) {
        return false;
      }
    }
    return true;
  }

  private void grant(LockOwner owner, LockMode mode) {
    holders.removeIf(hold -> hold.owner() == owner);
    addHolder(owner.hold(mode));
  }

  private void addHolder(Hold hold) {
    holders.add(hold);
    if (hold.mode() == LockMode.EXCLUSIVE) {
      assert holders.size() == 1;
      exclusiveHolder = hold.owner();
    }
  }

  void enqueue(LockRequest request) {
    int place = waiting.size();
    if (holdOf(request.owner) != null) {
      place = 0;
      while (place < waiting.size() && holdOf(waiting.get(place).owner) != null) {
        place++;
      }
    }
    waiting.add(place, request);
  }

  /** Takes a request out that gave up, and serves those that it held up. */
  void withdraw(LockRequest request) {
    boolean removed = waiting.remove(request);
    assert removed;
    serve();
  }

  /** Takes a holder out and serves those that wait; false when the owner is no holder. */
  boolean release(LockOwner owner) {
    boolean removed = holders.removeIf(hold -> hold.owner() == owner);
    if (exclusiveHolder == owner) {
      exclusiveHolder = null;
    }
    serve();
    return removed;
  }

  private void serve() {
    while (!waiting.isEmpty()) {
      LockRequest first = waiting.get(0);
      if (!compatible(first.owner, first.mode)) {
        return;
      }
      waiting.remove(0);
      grant(first.owner, first.mode);
      first.granted = true;
      first.owner.granted().raise();
    }
  }

  /** Adds the owners that a request waits for: incompatible holders, and requests before it. */
  void addBlockers(LockRequest request, List<LockOwner> target) {
    if (request.granted) {
      return;
    }
    for (Hold hold : holders) {
      if (hold.owner() != request.owner && !request.mode.compatibleWith(hold.mode())) {
        target.add(hold.owner());
      }
    }
    for (LockRequest before : waiting) {
      if (before == request) {
        return;
      }
      target.add(before.owner);
    }
  }
}
