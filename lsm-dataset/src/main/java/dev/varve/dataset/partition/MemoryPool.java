package dev.varve.dataset.partition;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.error.LimitException;
import dev.varve.scheduler.gate.DatasetMemory.Decision;
import dev.varve.scheduler.gate.SharedMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The memory that all active datasets share, where an engine has it like that; see {@link
 * SharedMemory}. Thread-safe. Its lock is taken before that of a gate.
 *
 * <p>Implementation note. A look at thousands of datasets for every few writes, or for every flush,
 * would cost more than the writes. So what each has is remembered: who wants to write brings what
 * is known of its own dataset up to date, and after a flush or merge has ended those are counted
 * anew that had something sealed. All are counted when a wait was in vain.
 */
public final class MemoryPool {
  private static final long MOST_BYTES_BETWEEN_LOOKS = 64 << 10;

  private final long bytes;
  private final long mostDatasetBytes;
  private final long refusedAbove;
  private final ReentrantLock lock = new ReentrantLock();

  /** Replaced under the lock. */
  private volatile List<MemoryGate> gates = List.of();

  @GuardedBy("lock")
  private final SharedMemory<MemoryGate> known;

  /** Bytes that are taken, of what is known. Changed under the lock. */
  private volatile long knownBytes;

  /** Whether something has come free since those that were sealed were counted. */
  private volatile boolean changed;

  /** Whether all are to be counted. */
  private volatile boolean doubted;

  /** Nobody was found who may be sealed, since something changed. */
  @GuardedBy("lock")
  private boolean nobodyIsNext;

  /** Nor was there, when the pool was full, a last resort. */
  @GuardedBy("lock")
  private boolean nobodyIsNextWhenFull;

  /**
   * A pool that nobody has anything of.
   *
   * @param bytes all of it; 0 when each dataset has memory of its own
   * @param mostDatasetBytes how much of its own a dataset gets at most
   * @param refusedAbove a new dataset that asks for more than this is refused
   */
  public MemoryPool(long bytes, long mostDatasetBytes, long refusedAbove) {
    this.bytes = bytes;
    this.mostDatasetBytes = mostDatasetBytes;
    this.refusedAbove = refusedAbove;
    this.known = new SharedMemory<>(bytes);
  }

  /** What a dataset gets that asks for so much of its own: all of the pool where it is shared. */
  long budget(long memoryBytes) {
    return shared() ? bytes : Math.min(memoryBytes, mostDatasetBytes);
  }

  /**
   * Refuses a new dataset that asks for more than there is; one that exists gets less.
   *
   * @throws LimitException that says how much there is
   */
  public void requireFits(String dataset, long memoryBytes) throws LimitException {
    if (!shared() && memoryBytes > refusedAbove) {
      throw new LimitException(
          "memoryBytes of '" + dataset + "' (see activeDatasetBytes)", memoryBytes, refusedAbove);
    }
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
    return knownBytes;
  }

  /** A flush or merge has ended or failed: more may be free than is known. */
  public void changed() {
    changed = true;
  }

  /** A wait was in vain: nothing that is known counts. */
  void doubt() {
    doubted = true;
    changed = true;
  }

  /**
   * How many bytes may be written between two looks: all datasets together a small part of the
   * pool, and less once it is short.
   */
  public long lookEveryBytes() {
    long few = Math.min(MOST_BYTES_BETWEEN_LOOKS, bytes / 32 / Math.max(1, gates.size()));
    return knownBytes < SharedMemory.flushedFrom(bytes) ? few : few / 4;
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
    known.remove(gate);
    knownBytes = known.bytes();
    List<MemoryGate> rest = new ArrayList<>(gates);
    rest.remove(gate);
    gates = List.copyOf(rest);
    changed = true;
  }

  /**
   * A writer has ended what it wrote to a dataset. The first bytes in a memory component take a
   * whole chunk, so without this a dataset that is written a little would count as empty until it
   * is written again.
   */
  void written(MemoryGate gate) {
    lock.lock();
    try {
      if (known.contains(gate)) {
        count(gate);
      }
    } finally {
      lock.unlock();
    }
  }

  /** What follows for somebody who wants to write to a dataset. */
  Decision decide(MemoryGate gate) {
    lock.lock();
    try {
      if (changed) {
        recount();
      }
      if (!known.contains(gate)) {
        // Its indexes are not open: whoever opens them asks again.
        return Decision.ROOM;
      }
      count(gate);
      boolean found = known.wantsFlush() && someIsNext();
      return known.decide(gate, () -> found, MemoryGate::atComponentLimit);
    } finally {
      lock.unlock();
    }
  }

  /** Seals the datasets whose turn it is to be flushed. */
  void relieve() {
    lock.lock();
    try {
      recount();
      for (int i = gates.size(); i > 0; i--) {
        Optional<MemoryGate> next = known.next(MemoryGate::atComponentLimit);
        if (next.isEmpty()) {
          return;
        }
        next.get().seal();
        count(next.get());
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Which dataset is flushed next so that recovery may go on, which has no writers beside it.
   *
   * @param written the gate of the dataset that was written to since this was asked last
   * @return number of the dataset; empty while there is room
   */
  public OptionalInt fullest(MemoryGate written) {
    lock.lock();
    try {
      count(written);
      if (known.bytes() < bytes) {
        return OptionalInt.empty();
      }
      return known
          .largest()
          .map(gate -> OptionalInt.of(gate.datasetId()))
          .orElse(OptionalInt.empty());
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void recount() {
    boolean all = doubted;
    changed = false;
    doubted = false;
    nobodyIsNext = false;
    nobodyIsNextWhenFull = false;
    for (MemoryGate gate : all ? gates : known.flushing()) {
      count(gate);
    }
  }

  @GuardedBy("lock")
  private void count(MemoryGate gate) {
    known.put(gate, gate.member());
    knownBytes = known.bytes();
  }

  /** When nobody may be sealed, that stays so until something has changed or the pool is full. */
  @GuardedBy("lock")
  private boolean someIsNext() {
    boolean full = known.bytes() >= bytes;
    if (full ? nobodyIsNextWhenFull : nobodyIsNext) {
      return false;
    }
    boolean found = known.next(MemoryGate::atComponentLimit).isPresent();
    if (!found) {
      nobodyIsNext = true;
      nobodyIsNextWhenFull = full;
    }
    return found;
  }
}
