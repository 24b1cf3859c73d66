package dev.varve.transaction;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.transaction.log.TransactionLog;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The transactions over one log: hands out ids, and knows the oldest record that an active one has
 * written. Sessions come and go rarely, transactions begin and end all the time, so the table holds
 * the reusable {@link Transaction} objects and beginning writes nothing to it. Thread-safe.
 */
public final class TransactionTable {
  private final TransactionLog log;
  private final AtomicLong nextId;
  private final CopyOnWriteArrayList<Transaction> transactions = new CopyOnWriteArrayList<>();

  /**
   * An empty table.
   *
   * @param nextTransaction the first id to hand out, above all in the log
   */
  public TransactionTable(TransactionLog log, long nextTransaction) {
    this.log = log;
    this.nextId = new AtomicLong(nextTransaction);
  }

  /** A transaction object for one session, not begun. */
  @MustBeClosed
  public Transaction open() {
    Transaction transaction = new Transaction(this);
    transactions.add(transaction);
    return transaction;
  }

  /** The id that the next transaction gets. */
  public long nextTransaction() {
    return nextId.get();
  }

  /** Number of transaction objects that are not closed, active or not: one for each session. */
  public int size() {
    return transactions.size();
  }

  /** Number of active transactions. */
  public int active() {
    int active = 0;
    for (Transaction transaction : transactions) {
      if (transaction.floor() != Transaction.NO_FLOOR) {
        active++;
      }
    }
    return active;
  }

  /**
   * An LSN below which no active transaction has a record; {@code Long.MAX_VALUE} when none is
   * active. For a low-water mark, read the end of the log first: what is appended later lies above.
   */
  public long oldestFirstLsn() {
    long oldest = Transaction.NO_FLOOR;
    for (Transaction transaction : transactions) {
      oldest = Math.min(oldest, transaction.floor());
    }
    return oldest;
  }

  TransactionLog log() {
    return log;
  }

  long takeId() {
    return nextId.getAndIncrement();
  }

  void forget(Transaction transaction) {
    transactions.remove(transaction);
  }
}
