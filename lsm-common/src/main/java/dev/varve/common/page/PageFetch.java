package dev.varve.common.page;

import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Pages of one file that somebody is about to ask for, one after the other. Whoever wants them
 * closes this before it leaves the file; no page is read for it after that. Thread-safe.
 */
final class PageFetch implements PageFile.Fetch {
  /** The file that has the pages. */
  @FunctionalInterface
  interface Source {
    /** Reads a page into the cache, unless it is there or somebody else reads it. */
    void fetch(int pageNumber);
  }

  private final Source source;
  private final int[] pages;
  private final Queue<PageFetch> waiting;

  /** The first page is left to the one who is about to ask for it. */
  private final AtomicInteger next = new AtomicInteger(1);

  /** Shared by those who read, and taken for a moment at the end. */
  private final ReentrantReadWriteLock reading = new ReentrantReadWriteLock();

  private volatile boolean ended;

  /**
   * A fetch that nobody has begun.
   *
   * @param pages ascending, more than one; not copied
   * @param waiting from which it is taken at its end
   */
  PageFetch(Source source, int[] pages, Queue<PageFetch> waiting) {
    assert pages.length > 1 : pages.length;
    this.source = source;
    this.pages = pages;
    this.waiting = waiting;
  }

  /** Reads one of the pages; false when all were read, or nobody wants them any more. */
  boolean readOne() {
    if (!reading.readLock().tryLock()) {
      return false;
    }
    try {
      int page = ended ? pages.length : next.getAndIncrement();
      if (page >= pages.length) {
        return false;
      }
      source.fetch(pages[page]);
      return true;
    } finally {
      reading.readLock().unlock();
    }
  }

  @Override
  @SuppressWarnings("LockNotBeforeTry") // nothing is done between the two
  public void close() {
    ended = true;
    waiting.remove(this);
    reading.writeLock().lock();
    reading.writeLock().unlock();
  }
}
