package dev.varve.common.page;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The buffer cache: pages of sealed files, kept within a budget of bytes by a clock. Thread-safe.
 *
 * <p>Implementation note.
 *
 * <ol>
 *   <li>Each file has a table of its pages' frames, indexed by page number. A hit is one read of
 *       that table and one atomic addition to the frame ({@link Frame}): no lock, no hashing, no
 *       allocation. A glimpse is a hit without the addition.
 *   <li>A miss takes one of {@value #LOADING_LOCKS} locks, chosen by the page, and looks again, so
 *       that a page is read once however many want it. It holds no other lock while it reads.
 *   <li>The ring, the hand, the free buffers and the count of bytes are guarded by one lock, held
 *       for short; only misses and the closing of files take it. Order: loading lock, then this.
 *   <li>A page that was never hit after it was read goes at the hand's first visit, one that was
 *       hit at its second: a scan that reads each page once does not push out what is used.
 *   <li>When everything is pinned the cache exceeds its budget rather than wait for a pin that may
 *       be its own caller's, counts that, and shrinks with the next misses.
 * </ol>
 */
public final class PageCache {
  /**
   * Whether assertions are on: then pins are checked one by one, and dead pages are overwritten.
   */
  static final boolean CHECKED = PageCache.class.desiredAssertionStatus();

  /** What a page is overwritten with when it is evicted and assertions are on. */
  static final byte DEAD_BYTE = (byte) 0xCC;

  private static final int LOADING_LOCK_BITS = 8;

  private static final int LOADING_LOCKS = 1 << LOADING_LOCK_BITS;

  /** Share of the budget, as a divisor, that may be held until files are closed. */
  private static final int HELD_SHARE = 2;

  private final ReentrantLock lock = new ReentrantLock();
  private final ReentrantLock[] loadingLocks = new ReentrantLock[LOADING_LOCKS];
  private final LongAdder misses = new LongAdder();
  private final long budgetBytes;

  @GuardedBy("lock")
  private final Map<Integer, ArrayDeque<byte[]>> free = new HashMap<>();

  @GuardedBy("lock")
  private long freeBytes;

  @GuardedBy("lock")
  private @Nullable Frame[] ring = new Frame[64];

  @GuardedBy("lock")
  private int frames;

  @GuardedBy("lock")
  private int hand;

  /** Bytes of frames, of buffers being filled, and of free buffers. */
  @GuardedBy("lock")
  private long bytes;

  @GuardedBy("lock")
  private long heldBytes;

  @GuardedBy("lock")
  private long hits;

  @GuardedBy("lock")
  private long evictions;

  @GuardedBy("lock")
  private long overruns;

  /** A cache without pages that may hold so many bytes of them. */
  public PageCache(long budgetBytes) {
    if (budgetBytes < 0) {
      throw new IllegalArgumentException("a cache of " + budgetBytes + " bytes");
    }
    this.budgetBytes = budgetBytes;
    Arrays.setAll(loadingLocks, i -> new ReentrantLock());
  }

  /** What the cache did so far, and what it holds. Visits every page's frame. */
  public PageCacheStats stats() {
    lock.lock();
    try {
      for (int i = 0; i < frames; i++) {
        hits += frame(i).takeHits();
      }
      return new PageCacheStats(
          hits, misses.sum(), evictions, overruns, bytes, heldBytes, budgetBytes);
    } finally {
      lock.unlock();
    }
  }

  /** The lock under which a page is looked for and read. */
  ReentrantLock loadingLock(int fileNumber, int pageNumber) {
    // Consecutive pages get locks far apart: the golden ratio, scaled to 32 bits.
    int mixed = (fileNumber * 31 + pageNumber) * 0x9E3779B1;
    return loadingLocks[mixed >>> (Integer.SIZE - LOADING_LOCK_BITS)];
  }

  /** Gives a buffer to read a page into, making room for it; counts as a miss. */
  byte[] take(int length) {
    lock.lock();
    try {
      byte[] buffer = poll(length);
      if (buffer != null) {
        return buffer;
      }
      makeRoom(length);
      // Eviction may just have freed a buffer of this length.
      buffer = poll(length);
      if (buffer != null) {
        return buffer;
      }
      dropFree(length);
      if (bytes + length > budgetBytes) {
        overruns++;
      }
      buffer = new byte[length];
      bytes += length;
      return buffer;
    } finally {
      lock.unlock();
    }
  }

  /** Takes a buffer back that never became a frame's, or no longer is. */
  void giveBack(byte[] buffer) {
    lock.lock();
    try {
      recycle(buffer);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Puts a page that was just read into its file's table and onto the ring.
   *
   * @return false when the file was closed meanwhile, and the page is forgotten
   */
  boolean insert(Frame frame) {
    misses.increment();
    lock.lock();
    try {
      if (!frame.file.publish(frame)) {
        recycle(frame.bytes());
        return false;
      }
      if (frames == ring.length) {
        ring = Arrays.copyOf(ring, 2 * ring.length);
      }
      // Just behind the hand, so that the page has a whole round before it is looked at.
      int place = Math.min(hand, frames);
      if (place < frames) {
        put(frame(place), frames);
      }
      put(frame, place);
      frames++;
      hand = place + 1;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Keeps a pinned page until its file is closed, if the share for that allows it. */
  boolean tryHold(Frame frame) {
    lock.lock();
    try {
      if (!frame.held) {
        int length = frame.bytes().length;
        if (heldBytes + length > budgetBytes / HELD_SHARE || frame.ringIndex < 0) {
          return false;
        }
        frame.pinAgain();
        frame.held = true;
        heldBytes += length;
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Forgets the pages of a file that is being closed. A page that somebody still has pinned is left
   * to the garbage collector.
   *
   * @return the number of pins that are out
   */
  int dropAll(ComponentFile file) {
    lock.lock();
    try {
      int pins = 0;
      for (Frame frame : file.unpublishAll()) {
        byte[] buffer = frame.bytes();
        if (frame.held) {
          frame.held = false;
          heldBytes -= buffer.length;
          frame.close();
        }
        remove(frame);
        if (frame.tryKill()) {
          recycle(buffer);
        } else {
          pins += frame.pins();
          frame.orphan();
          bytes -= buffer.length;
        }
        hits += frame.takeHits();
      }
      return pins;
    } finally {
      lock.unlock();
    }
  }

  /** Turns the hand until so many more bytes fit, at most twice around. */
  @GuardedBy("lock")
  private void makeRoom(int length) {
    // Free buffers of other lengths can be dropped, so they do not count.
    int turns = 2 * frames;
    while (turns-- > 0 && frames > 0 && bytes - freeBytes + length > budgetBytes) {
      if (hand >= frames) {
        hand = 0;
      }
      Frame frame = frame(hand);
      if (frame.pins() > 0 || frame.usedSinceLastSweep() || !frame.tryKill()) {
        hand++;
        continue;
      }
      frame.file.unpublish(frame);
      hits += frame.takeHits();
      evictions++;
      remove(frame);
      recycle(frame.bytes());
    }
  }

  @GuardedBy("lock")
  private void dropFree(int length) {
    if (freeBytes > 0 && bytes + length > budgetBytes) {
      bytes -= freeBytes;
      freeBytes = 0;
      free.clear();
    }
  }

  @GuardedBy("lock")
  private byte @Nullable [] poll(int length) {
    ArrayDeque<byte[]> buffers = free.get(length);
    byte[] buffer = buffers == null ? null : buffers.pollLast();
    if (buffer != null) {
      freeBytes -= length;
    }
    return buffer;
  }

  @GuardedBy("lock")
  private void recycle(byte[] buffer) {
    if (CHECKED) {
      Arrays.fill(buffer, DEAD_BYTE);
    }
    if (bytes > budgetBytes) {
      bytes -= buffer.length;
      return;
    }
    free.computeIfAbsent(buffer.length, l -> new ArrayDeque<>()).addLast(buffer);
    freeBytes += buffer.length;
  }

  @GuardedBy("lock")
  private Frame frame(int index) {
    Frame frame = ring[index];
    assert frame != null && frame.ringIndex == index;
    return frame;
  }

  @GuardedBy("lock")
  private void put(Frame frame, int index) {
    ring[index] = frame;
    frame.ringIndex = index;
  }

  @GuardedBy("lock")
  private void remove(Frame frame) {
    int index = frame.ringIndex;
    frames--;
    if (index != frames) {
      put(frame(frames), index);
    }
    ring[frames] = null;
    frame.ringIndex = -1;
  }
}
