package dev.varve.scheduler.admission;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.error.LimitException;
import dev.varve.scheduler.admission.DatasetMemory.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The memory that all active datasets share, where an engine has it like that; see {@link
 * SharedMemory}. Thread-safe. Its lock is taken before that of a {@link WriteBuffer}.
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
  private volatile List<WriteBuffer> buffers = List.of();

  @GuardedBy("lock")
  private final SharedMemory<WriteBuffer> known;

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
    List<WriteBuffer> all = buffers;
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
    long few = Math.min(MOST_BYTES_BETWEEN_LOOKS, bytes / 32 / Math.max(1, buffers.size()));
    return knownBytes < SharedMemory.flushedFrom(bytes) ? few : few / 4;
  }

  /** The memory of all datasets that share it. */
  List<WriteBuffer> buffers() {
    return buffers;
  }

  void join(WriteBuffer buffer) {
    lock.lock();
    try {
      leaveNow(buffer);
      List<WriteBuffer> all = new ArrayList<>(buffers);
      all.add(buffer);
      buffers = List.copyOf(all);
      count(buffer);
    } finally {
      lock.unlock();
    }
  }

  void leave(WriteBuffer buffer) {
    lock.lock();
    try {
      leaveNow(buffer);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void leaveNow(WriteBuffer buffer) {
    known.remove(buffer);
    knownBytes = known.bytes();
    List<WriteBuffer> rest = new ArrayList<>(buffers);
    rest.remove(buffer);
    buffers = List.copyOf(rest);
    changed = true;
  }

  /**
   * A writer has ended what it wrote to a dataset. The first bytes in a memory component take a
   * whole chunk, so without this a dataset that is written a little would count as empty until it
   * is written again.
   */
  void written(WriteBuffer buffer) {
    lock.lock();
    try {
      if (known.contains(buffer)) {
        count(buffer);
      }
    } finally {
      lock.unlock();
    }
  }

  /** What follows for somebody who wants to write to a dataset. */
  Decision decide(WriteBuffer buffer) {
    lock.lock();
    try {
      if (changed) {
        recount();
      }
      if (!known.contains(buffer)) {
        // Its indexes are not open: whoever opens them asks again.
        return Decision.ROOM;
      }
      count(buffer);
      boolean found = known.wantsFlush() && someIsNext();
      return known.decide(buffer, () -> found, WriteBuffer::atComponentLimit);
    } finally {
      lock.unlock();
    }
  }

  /** Seals the datasets whose turn it is to be flushed. */
  void relieve() {
    lock.lock();
    try {
      recount();
      for (int i = buffers.size(); i > 0; i--) {
        Optional<WriteBuffer> next = known.next(WriteBuffer::atComponentLimit);
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
   * @param written the memory of the dataset that was written to since this was asked last
   * @return number of the dataset; empty while there is room
   */
  public OptionalInt fullest(WriteBuffer written) {
    lock.lock();
    try {
      count(written);
      if (known.bytes() < bytes) {
        return OptionalInt.empty();
      }
      return known
          .largest()
          .map(buffer -> OptionalInt.of(buffer.dataset().id()))
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
    for (WriteBuffer buffer : all ? buffers : known.flushing()) {
      count(buffer);
    }
  }

  @GuardedBy("lock")
  private void count(WriteBuffer buffer) {
    known.put(buffer, buffer.member());
    knownBytes = known.bytes();
  }

  /** When nobody may be sealed, that stays so until something has changed or the pool is full. */
  @GuardedBy("lock")
  private boolean someIsNext() {
    boolean full = known.bytes() >= bytes;
    if (full ? nobodyIsNextWhenFull : nobodyIsNext) {
      return false;
    }
    boolean found = known.next(WriteBuffer::atComponentLimit).isPresent();
    if (!found) {
      nobodyIsNext = true;
      nobodyIsNextWhenFull = full;
    }
    return found;
  }
}
