package dev.varve.transaction.lock;

import dev.varve.transaction.lock.LockOwner.Hold;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One part of the lock table: open addressing with linear probing, a resource beside its state. The
 * state is a {@link Hold} while one owner has the resource and no other waits, which is nearly
 * always, and a {@link LockQueue} otherwise. Thread-safe.
 *
 * <p>Implementation note: readers look without the lock. {@link #version} is odd while a thread has
 * the stripe, and is its lock; a reader that finds the same even number before and after its look
 * has seen a consistent state. The lock is held for some ten instructions, so that one more atomic
 * operation would be felt, and queueing for it would take longer than the wait.
 */
final class LockStripe {
  private static final VarHandle VERSION;
  private static final int OPTIMISTIC_LOOKS = 8;

  /** Looks at a taken stripe before the processor is offered to others. */
  private static final int SPINS = 64;

  private static final int LEAST_CAPACITY = 16;

  /**
   * Of what a resource is spread to, the bits from here on tell its slot; the highest, its stripe.
   */
  private static final int HOME_SHIFT = 20;

  static {
    try {
      VERSION = MethodHandles.lookup().findVarHandle(LockStripe.class, "version", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused") // Through VERSION only.
  private int version;

  // Read without the lock, too; all other fields and methods belong to its holder.
  private Table table = new Table(LEAST_CAPACITY);

  private int used;

  /** Both arrays, so that a reader without the lock sees two of one length. */
  private static final class Table {
    final long[] resources;
    final @Nullable Object[] states;

    Table(int capacity) {
      resources = new long[capacity];
      states = new Object[capacity];
    }

    int mask() {
      return resources.length - 1;
    }

    /** The slot of a resource, or the free slot where it would go; -1 when a race left neither. */
    int find(long resource) {
      int mask = mask();
      int slot = (int) (spread(resource) >>> HOME_SHIFT) & mask;
      for (int i = 0; i <= mask; i++) {
        if (states[slot] == null || resources[slot] == resource) {
          return slot;
        }
        slot = (slot + 1) & mask;
      }
      return -1;
    }
  }

  /** Fibonacci hashing: resources that are not hashes well enough are spread all the same. */
  static long spread(long resource) {
    return (resource ^ (resource >>> 32)) * 0x9E37_79B9_7F4A_7C15L;
  }

  /** Grants at once, or returns null when the owner has to wait. */
  @Nullable LockGrant tryLock(LockOwner owner, long resource, LockMode mode) {
    lock();
    try {
      return grant(owner, resource, mode);
    } finally {
      unlock();
    }
  }

  /** Grants at once, or puts a request into the queue and returns null. */
  @Nullable LockGrant tryLockOrEnqueue(LockRequest request) {
    lock();
    try {
      LockGrant grant = grant(request.owner, request.resource, request.mode);
      if (grant == null) {
        int slot = table.find(request.resource);
        if (table.states[slot] instanceof Hold hold) {
          setState(slot, new LockQueue(hold));
        }
        queue(slot).enqueue(request);
        request.owner.waitingFor = request;
      }
      return grant;
    } finally {
      unlock();
    }
  }

  private LockQueue queue(int slot) {
    if (table.states[slot] instanceof LockQueue queue) {
      return queue;
    }
    throw new IllegalStateException("no queue where a request waits");
  }

  private @Nullable LockGrant grant(LockOwner owner, long resource, LockMode mode) {
    int slot = table.find(resource);
    Object state = table.states[slot];
    if (state == null) {
      insert(slot, resource, owner.hold(mode));
      return LockGrant.ACQUIRED;
    }
    if (state instanceof Hold hold) {
      if (hold.owner() == owner) {
        if (hold.mode().covers(mode)) {
          return LockGrant.HELD;
        }
        setState(slot, owner.hold(mode));
        return LockGrant.UPGRADED;
      }
      if (!mode.compatibleWith(hold.mode())) {
        return null;
      }
      setState(slot, new LockQueue(hold));
    }
    return queue(slot).tryGrant(owner, mode);
  }

  /** Ends the wait for a request; false when it was granted meanwhile. */
  boolean withdraw(LockRequest request) {
    lock();
    try {
      request.owner.waitingFor = null;
      if (request.granted) {
        return false;
      }
      int slot = table.find(request.resource);
      queue(slot).withdraw(request);
      tidy(slot);
      return true;
    } finally {
      unlock();
    }
  }

  /** Takes a resource from an owner that holds it. */
  void release(LockOwner owner, long resource) {
    lock();
    try {
      int slot = table.find(resource);
      Object state = table.states[slot];
      if (state instanceof Hold hold && hold.owner() == owner) {
        remove(slot);
      } else if (state instanceof LockQueue queue && queue.release(owner)) {
        tidy(slot);
      } else {
        throw new IllegalStateException(owner + " does not hold the resource");
      }
    } finally {
      unlock();
    }
  }

  private void tidy(int slot) {
    LockQueue queue = queue(slot);
    Hold only = queue.onlyHolder();
    if (only != null) {
      setState(slot, only);
    } else if (queue.isUnused()) {
      remove(slot);
    }
  }

  /** Adds the owners that a request waits for. */
  void addBlockers(LockRequest request, List<LockOwner> target) {
    lock();
    try {
      if (table.states[table.find(request.resource)] instanceof LockQueue queue) {
        queue.addBlockers(request, target);
      }
    } finally {
      unlock();
    }
  }

  /**
   * The owner that holds a resource exclusively, or null; takes no lock unless writers keep
   * interfering.
   */
  @Nullable LockOwner exclusiveHolder(long resource) {
    for (int i = 0; i < OPTIMISTIC_LOOKS; i++) {
      int before = (int) VERSION.getAcquire(this);
      if ((before & 1) == 0) {
        LockOwner holder = look(resource);
        VarHandle.acquireFence();
        if ((int) VERSION.getOpaque(this) == before) {
          return holder;
        }
      }
      Thread.onSpinWait();
    }
    lock();
    try {
      return look(resource);
    } finally {
      unlock();
    }
  }

  private @Nullable LockOwner look(long resource) {
    Table seen = table;
    int slot = seen.find(resource);
    Object state = slot < 0 ? null : seen.states[slot];
    if (state instanceof Hold hold) {
      return hold.mode() == LockMode.EXCLUSIVE ? hold.owner() : null;
    }
    return state instanceof LockQueue queue ? queue.exclusiveHolder() : null;
  }

  /** Resources that are locked. */
  int size() {
    lock();
    try {
      return used;
    } finally {
      unlock();
    }
  }

  // The thread that has the stripe leaves it within a microsecond, unless it lost the processor:
  // then giving ours up is the fastest way to have it back.
  @SuppressWarnings("ThreadPriorityCheck")
  private void lock() {
    int spins = 0;
    while (true) {
      int seen = (int) VERSION.getOpaque(this);
      if ((seen & 1) == 0 && VERSION.compareAndSet(this, seen, seen + 1)) {
        return;
      }
      if (++spins % SPINS == 0) {
        Thread.yield();
      } else {
        Thread.onSpinWait();
      }
    }
  }

  private void unlock() {
    int seen = (int) VERSION.getOpaque(this);
    assert (seen & 1) != 0;
    VERSION.setRelease(this, seen + 1);
  }

  private void setState(int slot, Object state) {
    table.states[slot] = state;
  }

  private void insert(int slot, long resource, Hold hold) {
    table.resources[slot] = resource;
    table.states[slot] = hold;
    used++;
    // Half full at most: then a probe ends after 1.5 looks on average.
    if (2 * used > table.resources.length) {
      grow();
    }
  }

  private void grow() {
    Table old = table;
    Table larger = new Table(2 * old.resources.length);
    for (int i = 0; i < old.resources.length; i++) {
      Object state = old.states[i];
      if (state != null) {
        int slot = larger.find(old.resources[i]);
        larger.resources[slot] = old.resources[i];
        larger.states[slot] = state;
      }
    }
    table = larger;
  }

  /** Empties a slot and moves later entries of the run up, so that no gap breaks a probe. */
  private void remove(int slot) {
    long[] resources = table.resources;
    @Nullable Object[] states = table.states;
    int mask = table.mask();
    int gap = slot;
    int next = (slot + 1) & mask;
    while (states[next] != null) {
      int home = (int) (spread(resources[next]) >>> HOME_SHIFT) & mask;
      if (((next - home) & mask) >= ((next - gap) & mask)) {
        resources[gap] = resources[next];
        states[gap] = states[next];
        gap = next;
      }
      next = (next + 1) & mask;
    }
    states[gap] = null;
    used--;
  }
}
