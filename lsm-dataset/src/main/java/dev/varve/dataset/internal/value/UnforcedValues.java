package dev.varve.dataset.internal.value;

import dev.varve.common.error.DiskException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The files of a node whose values may be lost in a power loss. A reference is logged, and flushed,
 * only after its value was written; so whoever makes references durable forces these before. Of the
 * files of values, whichever store they are of, each force is one of all. Thread-safe.
 */
public final class UnforcedValues {
  private final Set<ValueFile> written = ConcurrentHashMap.newKeySet();

  /** Held during a force: who comes second may rely on what the first is forcing. */
  private final ReentrantLock lock = new ReentrantLock();

  /** All values are durable. */
  public UnforcedValues() {}

  void wrote(ValueFile file) {
    if (!written.contains(file)) {
      written.add(file);
    }
  }

  /**
   * Makes durable what was written before the call. After a failure, all later calls for the file
   * fail, too.
   */
  public void force() throws DiskException {
    lock.lock();
    try {
      List<ValueFile> now = new ArrayList<>(written);
      for (ValueFile file : now) {
        // Before the force: what is written during it is for the next.
        written.remove(file);
        if (file.acquire()) {
          try {
            file.force();
          } catch (DiskException failure) {
            written.add(file);
            throw failure;
          } finally {
            file.release();
          }
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
