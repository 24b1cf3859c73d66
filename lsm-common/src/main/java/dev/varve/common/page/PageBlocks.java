package dev.varve.common.page;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.HeapRegions;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Memory for pages of one unit, cut from long arrays, so that pages which were read one after the
 * other lie side by side, and stay there. Thread-safe: its lock is the innermost one, and taken
 * only when a shard has no buffer to recycle.
 *
 * <p>Implementation note. A block is as many pages as fit into a region of the heap with the
 * array's header, so that G1 does not copy it ({@link HeapRegions}); where the collector took half
 * of what is assumed there, a block takes two regions. Between pages are a few bytes, so that their
 * beginnings, which all readers look at, do not compete for the same lines of the processor's
 * caches.
 */
final class PageBlocks {
  /** What stands in front of an array, at most. */
  private static final int HEADER_BYTES = 24;

  /** Bytes between two pages, as a part of a page: a line of memory for pages of 8 KiB. */
  private static final int GAP_PART = 128;

  /** Share of the budget, as a divisor, that one block takes at most. */
  private static final int BLOCK_SHARE = 8;

  private final ReentrantLock lock = new ReentrantLock();
  private final long budgetBytes;
  private final int regionBytes;

  /** By length, in the order in which they are handed out. */
  @GuardedBy("lock")
  private final Map<Integer, ArrayDeque<PageBuffer>> free = new HashMap<>();

  /** How many buffers of each block are handed out. */
  @GuardedBy("lock")
  private final IdentityHashMap<byte[], Integer> inUse = new IdentityHashMap<>();

  /** Bytes of the pages of all blocks. */
  @GuardedBy("lock")
  private long blockBytes;

  /** Whether the memory of a block is being made. */
  @GuardedBy("lock")
  private boolean making;

  /** Blocks of a cache that may hold so many bytes of pages. */
  PageBlocks(long budgetBytes) {
    this(budgetBytes, HeapRegions.mostBytes());
  }

  /** Blocks that are shorter than so many bytes. */
  PageBlocks(long budgetBytes, int regionBytes) {
    this.budgetBytes = budgetBytes;
    this.regionBytes = regionBytes;
  }

  /**
   * A buffer for one page that nobody has: the one behind that of the call before, mostly. The
   * memory of a block takes milliseconds to make, for which others do not wait: who finds no buffer
   * meanwhile gets an array of its own.
   */
  PageBuffer take(int pageSize) {
    return take(pageSize, 1);
  }

  /**
   * The same for whoever reads ahead: makes the next block when half of one is left, so that those
   * who wait for their page find a buffer.
   */
  PageBuffer takeAhead(int pageSize) {
    return take(pageSize, Math.max(1, mostPages(pageSize) / 2));
  }

  /** Takes a buffer, and makes a block first when fewer than so many are left. */
  private PageBuffer take(int pageSize, int least) {
    int pages;
    lock.lock();
    try {
      ArrayDeque<PageBuffer> buffers = free.computeIfAbsent(pageSize, size -> new ArrayDeque<>());
      boolean full = blockBytes + pageSize > budgetBytes;
      if (buffers.size() >= least || (!buffers.isEmpty() && (making || full))) {
        return use(buffers.removeFirst());
      }
      if (making) {
        return PageBuffer.alone(pageSize);
      }
      making = true;
      pages = nextPages(pageSize);
    } finally {
      lock.unlock();
    }
    byte[] block = null;
    try {
      block = new byte[pages * stride(pageSize) - stride(pageSize) + pageSize];
    } finally {
      if (block == null) {
        cut(Bytes.EMPTY, 0, pageSize);
      }
    }
    return Objects.requireNonNull(cut(block, pages, pageSize));
  }

  /**
   * Takes back a buffer that its shard has no use for. A block of which all were taken back, and an
   * array that is no block, are left to the garbage collector; with the last block, one that was
   * made ahead and of which nobody took a part.
   */
  void giveBack(PageBuffer buffer) {
    lock.lock();
    try {
      Integer used = inUse.get(buffer.bytes());
      ArrayDeque<PageBuffer> buffers = free.get(buffer.length());
      if (used == null || buffers == null) {
        return;
      }
      if (used > 1) {
        inUse.put(buffer.bytes(), used - 1);
        buffers.addLast(buffer);
      } else {
        inUse.remove(buffer.bytes());
        buffers.removeIf(other -> other.bytes() == buffer.bytes());
        blockBytes -= (long) pages(buffer.bytes().length, buffer.length()) * buffer.length();
      }
      if (inUse.isEmpty()) {
        free.clear();
        blockBytes = 0;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Bytes of the pages of all blocks. */
  long bytes() {
    lock.lock();
    try {
      return blockBytes;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private PageBuffer use(PageBuffer buffer) {
    inUse.merge(buffer.bytes(), 1, Integer::sum);
    return buffer;
  }

  /** How many pages a block has at most. */
  private int mostPages(int pageSize) {
    long share = budgetBytes / BLOCK_SHARE / pageSize;
    return (int) Math.min(pages(regionBytes - HEADER_BYTES, pageSize), share);
  }

  /** How many pages the next block has. */
  @GuardedBy("lock")
  private int nextPages(int pageSize) {
    long left = (budgetBytes - blockBytes) / pageSize;
    return (int) Math.max(1, Math.min(mostPages(pageSize), left));
  }

  /** Cuts a block that was made into so many pages, and takes the first that is free. */
  private @Nullable PageBuffer cut(byte[] block, int pages, int pageSize) {
    lock.lock();
    try {
      making = false;
      ArrayDeque<PageBuffer> buffers = free.computeIfAbsent(pageSize, size -> new ArrayDeque<>());
      for (int i = 0; i < pages; i++) {
        buffers.addLast(new PageBuffer(block, i * stride(pageSize), pageSize));
      }
      blockBytes += (long) pages * pageSize;
      PageBuffer buffer = pages == 0 ? null : buffers.removeFirst();
      return buffer == null ? null : use(buffer);
    } finally {
      lock.unlock();
    }
  }

  /** From the beginning of a page to that of the next one. */
  static int stride(int pageSize) {
    return pageSize + pageSize / GAP_PART;
  }

  /** How many pages an array of so many bytes has. */
  private static int pages(int arrayBytes, int pageSize) {
    return (arrayBytes + stride(pageSize) - pageSize) / stride(pageSize);
  }
}
