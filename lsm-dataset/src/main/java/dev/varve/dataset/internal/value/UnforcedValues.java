package dev.varve.dataset.internal.value;

import dev.varve.common.error.DiskException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The files of a node whose values may be lost in a power loss. A reference is logged, and flushed,
 * only after its value was written; so whoever makes references durable forces these before. Of the
 * files of values, whichever store they are of, each force is one of all. A file stays open until
 * it was forced, also when its store is closed before, since the log may be forced after that.
 * Thread-safe; closed after the log.
 */
public final class UnforcedValues implements AutoCloseable {
  private final Set<ValueFile> written = ConcurrentHashMap.newKeySet();

  /** Held during a force: who comes second may rely on what the first is forcing. */
  private final ReentrantLock lock = new ReentrantLock();

  /** All values are durable. */
  public UnforcedValues() {}

  void wrote(ValueFile file) {
    if (!written.contains(file) && file.acquire() && !written.add(file)) {
      file.release();
    }
  }

  /**
   * Makes durable what was written before the call. After a failure, all later calls for the file
   * fail, too.
   */
  public void force() throws DiskException {
    lock.lock();
    try {
      for (ValueFile file : List.copyOf(written)) {
        // Before the force: what is written during it is for the next.
        written.remove(file);
        try {
          file.force();
        } catch (DiskException failure) {
          if (!written.add(file)) {
            file.release();
          }
          throw failure;
        }
        file.release();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Lets go of what was not forced. */
  @Override
  public void close() {
    lock.lock();
    try {
      for (ValueFile file : List.copyOf(written)) {
        written.remove(file);
        file.release();
      }
    } finally {
      lock.unlock();
    }
  }
}
