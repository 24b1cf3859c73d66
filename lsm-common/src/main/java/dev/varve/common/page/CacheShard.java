package dev.varve.common.page;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A part of the buffer cache, with a budget, a clock and a lock of its own. Which pages are its is
 * told by their numbers ({@link PageCache#shard}), so that they spread evenly. Thread-safe: the
 * ring, the hand, the free buffers and the counts of bytes are guarded by the lock, which is held
 * for short, and never while a page is read.
 */
final class CacheShard {
  /** Share of the budget, as a divisor, that may be held until files are closed. */
  private static final int HELD_SHARE = 2;

  private final ReentrantLock lock = new ReentrantLock();
  private final long budgetBytes;
  private final PageBlocks blocks;

  @GuardedBy("lock")
  private final Map<Integer, ArrayDeque<PageBuffer>> free = new HashMap<>();

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
  private long misses;

  @GuardedBy("lock")
  private long readAhead;

  @GuardedBy("lock")
  private long evictions;

  @GuardedBy("lock")
  private long overruns;

  /** A shard without pages that may hold so many bytes of them, in memory of blocks. */
  CacheShard(long budgetBytes, PageBlocks blocks) {
    this.budgetBytes = budgetBytes;
    this.blocks = blocks;
  }

  /** What the shard did so far, and what it holds. Visits every page's frame. */
  PageCacheStats stats() {
    lock.lock();
    try {
      for (int i = 0; i < frames; i++) {
        hits += frame(i).takeHits();
      }
      return new PageCacheStats(
          hits, misses, readAhead, evictions, overruns, bytes, heldBytes, budgetBytes);
    } finally {
      lock.unlock();
    }
  }

  /** Gives a buffer to read a page into, making room for it. */
  PageBuffer take(int units, int pageSize) {
    int length = units * pageSize;
    lock.lock();
    try {
      PageBuffer buffer = poll(length);
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
      bytes += length;
    } finally {
      lock.unlock();
    }
    return counted(length, () -> units == 1 ? blocks.take(pageSize) : PageBuffer.alone(length));
  }

  /** Gives a buffer for a page that nobody asked for; null when there is no room for it. */
  @Nullable PageBuffer takeIfRoom(int units, int pageSize) {
    int length = units * pageSize;
    lock.lock();
    try {
      PageBuffer buffer = poll(length);
      if (buffer != null || bytes + length > budgetBytes) {
        return buffer;
      }
      bytes += length;
    } finally {
      lock.unlock();
    }
    return counted(
        length, () -> units == 1 ? blocks.takeAhead(pageSize) : PageBuffer.alone(length));
  }

  /** Takes a buffer back that never became a frame's, or no longer is. */
  void giveBack(PageBuffer buffer) {
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
    lock.lock();
    try {
      if (frame.isReadAhead()) {
        readAhead++;
      } else {
        misses++;
      }
      if (!frame.table.publish(frame)) {
        recycle(frame.buffer());
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
        int length = frame.length();
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

  /** Waits until nobody publishes a page who did not see what the caller wrote before. */
  @SuppressWarnings("LockNotBeforeTry") // nothing is done between the two
  void awaitPublishers() {
    lock.lock();
    lock.unlock();
  }

  /**
   * Forgets a page of a file that is being closed, unless it was just evicted. The memory of one
   * that somebody still has pinned is used no more.
   *
   * @return the number of pins that are out
   */
  int drop(Frame frame) {
    lock.lock();
    try {
      if (frame.ringIndex < 0) {
        return 0;
      }
      if (frame.held) {
        frame.held = false;
        heldBytes -= frame.length();
        frame.close();
      }
      remove(frame);
      hits += frame.takeHits();
      if (frame.tryKill()) {
        recycle(frame.buffer());
        return 0;
      }
      int pins = frame.pins();
      frame.orphan();
      bytes -= frame.length();
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
      frame.table.unpublish(frame);
      hits += frame.takeHits();
      evictions++;
      remove(frame);
      recycle(frame.buffer());
    }
  }

  @GuardedBy("lock")
  private void dropFree(int length) {
    if (freeBytes > 0 && bytes + length > budgetBytes) {
      bytes -= freeBytes;
      freeBytes = 0;
      free.values().forEach(buffers -> buffers.forEach(blocks::giveBack));
      free.clear();
    }
  }

  /**
   * A buffer that was no page's yet, and counts already. Pages of several units have arrays of
   * their own. Memory is made without the lock, which others wait for.
   */
  private PageBuffer counted(int length, Supplier<PageBuffer> fresh) {
    PageBuffer buffer = null;
    try {
      buffer = fresh.get();
      return buffer;
    } finally {
      if (buffer == null) {
        forget(length);
      }
    }
  }

  /** There was no memory for what counts already. */
  private void forget(int length) {
    lock.lock();
    try {
      bytes -= length;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private @Nullable PageBuffer poll(int length) {
    ArrayDeque<PageBuffer> buffers = free.get(length);
    PageBuffer buffer = buffers == null ? null : buffers.pollLast();
    if (buffer != null) {
      freeBytes -= length;
    }
    return buffer;
  }

  @GuardedBy("lock")
  private void recycle(PageBuffer buffer) {
    int length = buffer.length();
    if (PageCache.CHECKED) {
      Arrays.fill(buffer.bytes(), buffer.at(), buffer.at() + length, PageCache.DEAD_BYTE);
    }
    if (bytes > budgetBytes) {
      bytes -= length;
      blocks.giveBack(buffer);
      return;
    }
    free.computeIfAbsent(length, l -> new ArrayDeque<>()).addLast(buffer);
    freeBytes += length;
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
