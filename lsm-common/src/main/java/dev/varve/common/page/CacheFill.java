package dev.varve.common.page;

import dev.varve.common.error.StorageException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Brings pages into the cache that follow one that was just read, with one call of the operating
 * system for all of them. So a cache is warm after a tenth of the reads, and pages that follow each
 * other come to lie side by side in memory, where a scan's processor fetches ahead from one into
 * the next.
 *
 * <p>Done while two things hold. All open files fit into the cache together: then nothing is pushed
 * out for what nobody asked for, and what was read ahead stays until it is used. And a page close
 * by is in the cache as well: reads that are few and far between bring one page each.
 *
 * <p>Thread-safe. One thread at a time reads ahead; others do without rather than wait.
 */
final class CacheFill {
  /** Bytes of pages that are close by, and of those that are read ahead at most. */
  static final int DISTANCE_BYTES = 128 << 10;

  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private final PageRun run = new PageRun(DISTANCE_BYTES);

  /** Reads what follows a page that is in the cache now, up to the next one that is. */
  void readBehind(ComponentFile file, Frame read) {
    int most = DISTANCE_BYTES / file.pageSize();
    int first = read.pageNumber + read.length() / file.pageSize();
    int last = Math.min(first + most, file.reader().endPage());
    int end = first;
    while (end < last && !file.has(end)) {
      end++;
    }
    if (first < end && hasNeighbour(file, read.pageNumber, most) && lock.tryLock()) {
      try {
        int next = run.read(file.reader(), first, end, file::offer);
        assert next > first : next;
      } catch (StorageException notAskedFor) {
        // No reader wants these pages yet. The one that does reads them one by one, and gets the
        // error.
      } finally {
        lock.unlock();
      }
    }
  }

  private static boolean hasNeighbour(ComponentFile file, int pageNumber, int distance) {
    for (int i = 1; i <= distance; i++) {
      if (file.has(pageNumber - i) || file.has(pageNumber + i)) {
        return true;
      }
    }
    return false;
  }
}
