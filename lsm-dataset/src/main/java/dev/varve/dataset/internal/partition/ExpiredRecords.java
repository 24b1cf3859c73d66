package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.Worker;
import dev.varve.common.error.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the records that merges have found at the end of their lives, as any program would delete
 * them: so their entries go from all indexes, whatever kinds these are of and however they are
 * kept. What is not deleted, because too much was found at once or a record is locked, is found
 * again by a later merge. The thread is started with the first record. Merges of any threads hand
 * in; one thread deletes.
 */
public final class ExpiredRecords implements Worker, TaskExecutor.Handle {
  private static final Logger LOGGER = LogManager.getLogger(ExpiredRecords.class);

  /** Most keys that wait. */
  private static final int MOST_WAITING = 1 << 16;

  /** Most keys of a step. */
  private static final int MOST_OF_STEP = 256;

  private final TaskExecutor executor;
  private final Queue<Found> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile TaskExecutor.@Nullable Handle thread;
  private volatile boolean closed;

  /** How the records of a partition are deleted. */
  @FunctionalInterface
  interface Deletion {
    /** Deletes those of some keys that have ended. */
    void deleteEnded(List<Slice> keys) throws StorageException;
  }

  /** A record that has ended. */
  private record Found(Deletion deletion, Slice key) {}

  /** None yet. */
  public ExpiredRecords(TaskExecutor executor) {
    this.executor = executor;
  }

  /**
   * Takes a record that a merge has met; never waits.
   *
   * @param deletion that of its partition; always the same
   */
  void found(Deletion deletion, Slice key) {
    if (closed || count.get() >= MOST_WAITING) {
      return;
    }
    count.incrementAndGet();
    waiting.add(new Found(deletion, new Slice(key.toByteArray())));
    if (started.compareAndSet(false, true)) {
      TaskExecutor.Handle running = executor.start(this);
      thread = running;
      if (closed) {
        running.close();
      }
    } else {
      wake();
    }
  }

  @Override
  public String name() {
    return "varve-expiry";
  }

  @Override
  public int doWork() {
    Found next = waiting.peek();
    if (next == null) {
      return 0;
    }
    Deletion deletion = next.deletion;
    List<Slice> keys = new ArrayList<>();
    while (next != null && keys.size() < MOST_OF_STEP && next.deletion.equals(deletion)) {
      waiting.remove();
      keys.add(next.key);
      next = waiting.peek();
    }
    int left = count.addAndGet(-keys.size());
    assert left >= 0 : left;
    try {
      if (!closed) {
        deletion.deleteEnded(keys);
      }
    } catch (StorageException | IllegalStateException refused) {
      // Whoever uses the store learns of a failure; the next merge finds what is left.
      LOGGER.debug("records that have ended were not deleted", refused);
    }
    return keys.size();
  }

  @Override
  public void failed(Throwable cause) {
    closed = true;
    LOGGER.error("records that have ended stay until the engine is opened again", cause);
  }

  @Override
  public void wake() {
    TaskExecutor.Handle running = thread;
    if (running != null) {
      running.wake();
    }
  }

  @Override
  public void close() {
    closed = true;
    TaskExecutor.Handle running = thread;
    if (running != null) {
      running.close();
    }
  }
}
