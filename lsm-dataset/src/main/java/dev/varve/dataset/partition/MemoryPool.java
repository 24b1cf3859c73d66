package dev.varve.dataset.partition;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.scheduler.gate.DatasetMemory.Decision;
import dev.varve.scheduler.gate.SharedMemory;
import dev.varve.scheduler.gate.SharedMemory.Member;
import dev.varve.scheduler.gate.SharedMemory.Totals;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The memory that all active datasets share, where an engine has it like that; see {@link
 * SharedMemory}. Thread-safe. Its lock is taken before that of a gate.
 *
 * <p>Implementation note. A look at thousands of datasets for every few writes would cost more than
 * the writes. So what each has is remembered: who wants to write brings what is known of its own
 * dataset up to date, and all are counted anew after something has come free or was sealed.
 */
public final class MemoryPool {
  private static final long MOST_BYTES_BETWEEN_LOOKS = 64 << 10;
  private static final Member NOTHING = new Member(0, 0, false, false, Long.MAX_VALUE);

  private final long bytes;
  private final ReentrantLock lock = new ReentrantLock();

  /** Replaced under the lock. */
  private volatile List<MemoryGate> gates = List.of();

  @GuardedBy("lock")
  private final IdentityHashMap<MemoryGate, Member> known = new IdentityHashMap<>();

  /** Of what is known. Replaced under the lock. */
  private volatile Totals totals = Totals.NONE;

  /** Whether something has come free since all were counted. */
  private volatile boolean changed;

  /** Nobody was found who may be sealed, since all were counted. */
  @GuardedBy("lock")
  private boolean nobodyIsNext;

  /** Nor was there, when the pool was full, a last resort. */
  @GuardedBy("lock")
  private boolean nobodyIsNextWhenFull;

  /**
   * A pool that nobody has anything of.
   *
   * @param bytes all of it; 0 when each dataset has memory of its own
   */
  public MemoryPool(long bytes) {
    this.bytes = bytes;
  }

  /** Whether datasets share their memory. */
  public boolean shared() {
    return bytes > 0;
  }

  /** All of it. */
  public long bytes() {
    return bytes;
  }

  /** What operations take of it, before their flush has ended; looks at every dataset. */
  public long takenBytes() {
    long taken = 0;
    List<MemoryGate> all = gates;
    for (int i = 0; i < all.size(); i++) {
      taken += all.get(i).use().bytes();
    }
    return taken;
  }

  /** The same, as far as it is known. */
  long knownBytes() {
    return totals.bytes();
  }

  /** A flush or merge has ended or failed: what is known may be less than what is free. */
  public void changed() {
    changed = true;
  }

  /**
   * How many bytes may be written between two looks: all datasets together a small part of the
   * pool, and less once it is short.
   */
  public long lookEveryBytes() {
    long few = Math.min(MOST_BYTES_BETWEEN_LOOKS, bytes / 32 / Math.max(1, gates.size()));
    return totals.bytes() < SharedMemory.flushedFrom(bytes) ? few : few / 4;
  }

  /** The gates of all datasets that share it. */
  List<MemoryGate> gates() {
    return gates;
  }

  void join(MemoryGate gate) {
    lock.lock();
    try {
      leaveNow(gate);
      List<MemoryGate> all = new ArrayList<>(gates);
      all.add(gate);
      gates = List.copyOf(all);
      count(gate);
    } finally {
      lock.unlock();
    }
  }

  void leave(MemoryGate gate) {
    lock.lock();
    try {
      leaveNow(gate);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void leaveNow(MemoryGate gate) {
    Member left = known.remove(gate);
    if (left != null) {
      totals = totals.without(left);
    }
    List<MemoryGate> rest = new ArrayList<>(gates);
    rest.remove(gate);
    gates = List.copyOf(rest);
    changed = true;
  }

  /** What follows for somebody who wants to write to a dataset. */
  Decision decide(MemoryGate gate) {
    lock.lock();
    try {
      if (changed) {
        countAll();
      }
      if (!known.containsKey(gate)) {
        // Its indexes are not open: whoever opens them asks again.
        return Decision.ROOM;
      }
      Member own = count(gate);
      boolean found = totals.wantFlush(bytes) && someIsNext();
      return totals.decide(bytes, own, () -> found, gate::atComponentLimit);
    } finally {
      lock.unlock();
    }
  }

  /** Seals the datasets whose turn it is to be flushed. */
  void relieve() {
    lock.lock();
    try {
      countAll();
      for (int i = gates.size(); i > 0 && totals.wantFlush(bytes); i--) {
        List<MemoryGate> all = gates;
        OptionalInt next = next();
        if (next.isEmpty()) {
          return;
        }
        MemoryGate sealed = all.get(next.getAsInt());
        sealed.seal();
        count(sealed);
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void countAll() {
    changed = false;
    nobodyIsNext = false;
    nobodyIsNextWhenFull = false;
    for (MemoryGate gate : gates) {
      count(gate);
    }
  }

  @GuardedBy("lock")
  private Member count(MemoryGate gate) {
    Member now = gate.member();
    Member before = known.put(gate, now);
    Totals rest = before == null ? totals : totals.without(before);
    totals = rest.with(now);
    return now;
  }

  /** When nobody may be sealed, that stays so until something has changed or the pool is full. */
  @GuardedBy("lock")
  private boolean someIsNext() {
    boolean full = totals.bytes() >= bytes;
    if (full ? nobodyIsNextWhenFull : nobodyIsNext) {
      return false;
    }
    boolean found = next().isPresent();
    if (!found) {
      nobodyIsNext = true;
      nobodyIsNextWhenFull = full;
    }
    return found;
  }

  @GuardedBy("lock")
  private OptionalInt next() {
    List<MemoryGate> all = gates;
    List<Member> members = new ArrayList<>(all.size());
    for (MemoryGate gate : all) {
      members.add(known.getOrDefault(gate, NOTHING));
    }
    return new SharedMemory(bytes, members).next(place -> all.get(place).atComponentLimit());
  }
}
