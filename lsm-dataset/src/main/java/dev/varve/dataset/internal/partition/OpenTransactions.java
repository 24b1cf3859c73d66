package dev.varve.dataset.internal.partition;

import dev.varve.common.env.Clock;
import dev.varve.common.env.TaskExecutor;
import dev.varve.dataset.internal.catalog.PartitionDescriptor;
import dev.varve.transaction.Transaction;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The transactions over several records that are open in an engine. Each keeps the log from its
 * first record on, its locks and its memory components, so the watchdog says which they are, and
 * ends one that has been open for longer than the engine allows. Thread-safe.
 */
public final class OpenTransactions {
  private static final Logger LOGGER = LogManager.getLogger(OpenTransactions.class);

  private final Clock clock;
  private final long timeoutNanos;
  private final Set<OpenTransaction> open = ConcurrentHashMap.newKeySet();

  /** The watchdog knows that there are some, and looks again soon. */
  private final AtomicBoolean watched = new AtomicBoolean();

  private volatile TaskExecutor.@Nullable Handle watchdog;

  /**
   * An open transaction.
   *
   * @param id its number
   * @param dataset the partitions that it writes to
   * @param firstLsn it keeps the log from here on
   * @param nanos how long it has been open
   */
  public record Held(long id, String dataset, long firstLsn, long nanos) {}

  /** An open transaction as others know it: how to name it, and how to end it. Thread-safe. */
  static final class OpenTransaction {
    private final OpenTransactions all;
    private final Transaction transaction;
    private final List<PartitionDescriptor> written = new CopyOnWriteArrayList<>();
    private final Revocation revocation;
    private final long begunNanos;
    private volatile boolean timedOut;

    /** The last moment that does not see its changes, once that is decided. */
    private volatile long unseenUpTo = Long.MAX_VALUE;

    private OpenTransaction(OpenTransactions all, Transaction transaction, Revocation revocation) {
      this.all = all;
      this.transaction = transaction;
      this.revocation = revocation;
      this.begunNanos = all.clock.nanoTime();
    }

    private Held held(long nowNanos) {
      return new Held(transaction.id(), where(), transaction.floor(), nowNanos - begunNanos);
    }

    /** It has committed, and moments up to this one do not see it. */
    void decided(long moment) {
      unseenUpTo = moment;
    }

    /** Whether a moment sees what it has changed. */
    boolean isSeenAt(Snapshots.Moment moment) {
      return unseenUpTo < moment.number();
    }

    /** It enters another partition. */
    void writesTo(PartitionDescriptor partition) {
      written.add(partition);
    }

    /** The partitions that it has entered, behind " in "; empty while there is none. */
    String places() {
      return written.isEmpty() ? "" : " in " + where();
    }

    private String where() {
      return written.stream().map(PartitionDescriptor::describe).collect(Collectors.joining(", "));
    }

    /** Aborts it for having been open for too long, now or with the call that its owner is in. */
    private void endForTime() {
      if (!timedOut) {
        timedOut = true;
        LOGGER.warn("{}; it is aborted", overdue());
      }
      revocation.revoke();
    }

    /** Whether it was aborted, or is being aborted, for having been open for too long. */
    boolean timedOut() {
      return timedOut;
    }

    /** Which it is, and how long it has been open. */
    String describe() {
      return "transaction "
          + transaction.id()
          + ", open for "
          + (all.clock.nanoTime() - begunNanos) / 1_000_000
          + " ms";
    }

    /** Says of one that was open for too long that it was. */
    String overdue() {
      return "transaction "
          + transaction.id()
          + places()
          + " was open for longer than "
          + all.timeoutNanos / 1_000_000
          + " ms";
    }
  }

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

  /**
   * A transaction has begun; {@link #ended} is called with the result.
   *
   * @param revocation ends it
   */
  OpenTransaction begun(Transaction transaction, Revocation revocation) {
    OpenTransaction begun = new OpenTransaction(this, transaction, revocation);
    open.add(begun);
    TaskExecutor.Handle handle = watchdog;
    if (handle != null && !watched.get() && watched.compareAndSet(false, true)) {
      handle.wake();
    }
    return begun;
  }

  void ended(OpenTransaction transaction) {
    open.remove(transaction);
  }

  /** The open transactions, the one that keeps most of the log first. */
  public List<Held> list() {
    long now = clock.nanoTime();
    return open.stream()
        .map(transaction -> transaction.held(now))
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
    for (OpenTransaction transaction : open) {
      if (timeoutNanos != 0 && now - transaction.begunNanos >= timeoutNanos) {
        transaction.endForTime();
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
