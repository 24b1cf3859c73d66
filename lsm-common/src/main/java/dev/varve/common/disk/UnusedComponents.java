package dev.varve.common.disk;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Components that were given up and that nobody reads any more. One thread at a time deletes them,
 * in the order in which they came. A reader that lets go last only hands them in: a file system may
 * take seconds to give gigabytes back. Thread-safe.
 */
public final class UnusedComponents {
  private final Queue<DiskComponent<?>> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean deleting = new AtomicBoolean();

  /** Held while one is deleted, so that whoever finds nothing left knows that all are gone. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Consumer<DiskComponent<?>> deletion;

  /** Has somebody call {@link #deleteNext} until nothing is left. */
  private volatile Runnable deleter = this::deleteAll;

  /**
   * Takes no component yet.
   *
   * @param deletion of one of them, which does not throw
   */
  UnusedComponents(Consumer<DiskComponent<?>> deletion) {
    this.deletion = deletion;
  }

  /** From now on somebody else than the last reader deletes them. */
  public void deletedBy(Runnable newDeleter) {
    deleter = newDeleter;
  }

  void add(DiskComponent<?> component) {
    waiting.add(component);
    if (deleting.compareAndSet(false, true)) {
      deleter.run();
    }
  }

  /**
   * Deletes one.
   *
   * @return false when nothing is left; for those that come later the deleter is asked again
   */
  public boolean deleteNext() {
    lock.lock();
    try {
      do {
        DiskComponent<?> next = waiting.poll();
        if (next != null) {
          deletion.accept(next);
          return true;
        }
        deleting.set(false);
        // What came in between asked nobody.
      } while (!waiting.isEmpty() && deleting.compareAndSet(false, true));
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #deleteNext}, until nothing is left, nor being deleted by others. */
  public void deleteAll() {
    boolean left = true;
    while (left) {
      left = deleteNext();
    }
  }

  /**
   * Has this thread delete, before it returns, the components that an action lets go of as the last
   * one, unless somebody is deleting.
   */
  public void deleteHere(Runnable letsGo) {
    boolean here = deleting.compareAndSet(false, true);
    try {
      letsGo.run();
    } finally {
      if (here) {
        deleteAll();
      }
    }
  }
}
