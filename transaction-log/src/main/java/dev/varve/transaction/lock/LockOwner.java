package dev.varve.transaction.lock;

import dev.varve.common.env.Signal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An owner of locks: a session, which may hold thousands and release them all at once. Made by
 * {@link LockTable#newOwner}; used by one thread at a time.
 */
public final class LockOwner {
  /** Room that an owner keeps for its next locks. */
  private static final int KEPT_CAPACITY = 1 << 12;

  private final long id;
  private final Hold shared = new Hold(this, LockMode.SHARED);
  private final Hold exclusive = new Hold(this, LockMode.EXCLUSIVE);
  private final Signal granted;
  private long[] resources = new long[16];
  private int count;

  /** The request that this owner waits for; written by the owner, read by detectors. */
  volatile @Nullable LockRequest waitingFor;

  /** Number of the last detection that visited this owner; guarded by the detection lock. */
  long visited;

  LockOwner(long id, Signal granted) {
    this.id = id;
    this.granted = granted;
  }

  /**
   * An owner that has a resource in a mode. There are two per owner, so that an uncontended lock
   * allocates nothing.
   */
  record Hold(LockOwner owner, LockMode mode) {}

  Hold hold(LockMode mode) {
    return mode == LockMode.EXCLUSIVE ? exclusive : shared;
  }

  /** Raised when a request of this owner is granted. */
  Signal granted() {
    return granted;
  }

  /** Number of resources held. */
  public int held() {
    return count;
  }

  long resource(int index) {
    return resources[index];
  }

  void add(long resource) {
    if (count == resources.length) {
      resources = Arrays.copyOf(resources, 2 * count);
    }
    resources[count++] = resource;
  }

  /** Forgets a resource; the latest is found first, since locks are mostly given back in turn. */
  boolean remove(long resource) {
    for (int i = count - 1; i >= 0; i--) {
      if (resources[i] == resource) {
        resources[i] = resources[--count];
        return true;
      }
    }
    return false;
  }

  void clear() {
    count = 0;
    if (resources.length > KEPT_CAPACITY) {
      resources = new long[16];
    }
  }

  @Override
  public String toString() {
    return "lock owner " + id;
  }
}
