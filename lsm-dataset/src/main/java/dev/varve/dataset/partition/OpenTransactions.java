package dev.varve.dataset.partition;

import dev.varve.common.env.Clock;
import dev.varve.common.env.TaskExecutor;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The transactions over several records that are open in an engine. Each keeps the log from its
 * first record on, its locks and its memory components, so the watchdog says which they are, and
 * ends one that has been open for longer than the engine allows. Thread-safe.
 */
public final class OpenTransactions {
  private final Clock clock;
  private final long timeoutNanos;
  private final Set<TransactionWriter> open = ConcurrentHashMap.newKeySet();

  /** The watchdog knows that there are some, and looks again soon. */
  private final AtomicBoolean watched = new AtomicBoolean();

  private volatile TaskExecutor.@Nullable Handle watchdog;

  /**
   * An open transaction.
   *
   * @param id its number
   * @param dataset the partition that it writes to
   * @param firstLsn it keeps the log from here on
   * @param nanos how long it has been open
   */
  public record Held(long id, String dataset, long firstLsn, long nanos) {}

  /**
   * Knows of none yet.
   *
   * @param timeoutNanos how long one may be open; 0 for as long as it likes
   */
  public OpenTransactions(Clock clock, long timeoutNanos) {
    this.clock = clock;
    this.timeoutNanos = timeoutNanos;
  }

  /** Has a watchdog woken when the first of some transactions begins. */
  public void watch(TaskExecutor.Handle handle) {
    watchdog = handle;
  }

  long timeoutNanos() {
    return timeoutNanos;
  }

  void begun(TransactionWriter writer) {
    open.add(writer);
    TaskExecutor.Handle handle = watchdog;
    if (handle != null && !watched.get() && watched.compareAndSet(false, true)) {
      handle.wake();
    }
  }

  void ended(TransactionWriter writer) {
    open.remove(writer);
  }

  /** The open transactions, the one that keeps most of the log first. */
  public List<Held> list() {
    long now = clock.nanoTime();
    return open.stream()
        .map(writer -> writer.held(now))
        .filter(held -> held.firstLsn() != Long.MAX_VALUE)
        .sorted(Comparator.comparingLong(Held::firstLsn))
        .toList();
  }

  /**
   * Ends those that have been open for too long. One whose owner is in the middle of an operation
   * is ended by that owner's next call.
   *
   * @return whether any is open, so that somebody must look again
   */
  public boolean endOverdue() {
    long now = clock.nanoTime();
    for (TransactionWriter writer : open) {
      if (timeoutNanos != 0 && now - writer.begunNanos() >= timeoutNanos) {
        writer.endForTime();
      }
    }
    if (!open.isEmpty()) {
      return true;
    }
    watched.set(false);
    // One that came in between saw that it was watched, and woke nobody.
    return !open.isEmpty() && watched.compareAndSet(false, true);
  }
}
