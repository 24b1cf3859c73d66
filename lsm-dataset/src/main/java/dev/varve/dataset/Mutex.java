package dev.varve.dataset;

import dev.varve.common.env.Signal;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.error.ConflictException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One at a time, for work that waits for files and flushes and so must not hold a lock. Waits on a
 * signal, so that a stepped executor can run others meanwhile. Thread-safe; not reentrant.
 */
final class Mutex {
  private final AtomicBoolean taken = new AtomicBoolean();
  private final Signal free;

  Mutex(TaskExecutor executor) {
    this.free = executor.newSignal();
  }

  /**
   * Waits for the mutex; the caller gives it back with {@link #release}.
   *
   * @throws ConflictException with {@code INTERRUPTED} when the thread was, and nothing was done
   */
  void acquire() throws ConflictException {
    while (!taken.compareAndSet(false, true)) {
      Signal.Outcome outcome = free.await(() -> !taken.get(), Signal.FOREVER);
      if (outcome == Signal.Outcome.INTERRUPTED) {
        throw new ConflictException(
            ConflictException.Reason.INTERRUPTED,
            "interrupted while another thread opens, closes, creates or drops a dataset");
      }
    }
  }

  /** Waits for the mutex, whatever interrupts there are. */
  void acquireUninterruptibly() {
    while (!taken.compareAndSet(false, true)) {
      free.awaitUninterruptibly(() -> !taken.get());
    }
  }

  /** Gives the mutex to the next. */
  void release() {
    taken.set(false);
    free.raise();
  }
}
