package dev.varve.transaction;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.transaction.log.LogOperation;
import dev.varve.transaction.log.LogUpdate;
import dev.varve.transaction.log.TransactionLog;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * A record-level transaction. One object serves many transactions in turn, since there is one per
 * record: {@link #begin} starts the next. It links the log records that it writes by previous LSN,
 * and keeps inverse operations for an abort; nothing is logged for an undo, since no component is
 * flushed while a transaction in it is open. Used by one thread at a time.
 *
 * <p>{@code IDLE, COMMITTED, ABORTED --begin--> ACTIVE --commit--> COMMITTED}, {@code ACTIVE
 * --abort--> ABORTED}. A commit that throws leaves the transaction active, to be aborted. A
 * transaction of one operation takes a shorter way: {@code IDLE, COMMITTED, ABORTED
 * --commitAlone--> APPLYING --applied--> COMMITTED}, with one log record instead of two and nothing
 * to undo.
 */
public final class Transaction implements AutoCloseable {
  private static final Logger LOGGER = LogManager.getLogger(Transaction.class);

  /** The floor of a transaction that is not active. */
  static final long NO_FLOOR = Long.MAX_VALUE;

  /** Where a transaction is in its life. */
  public enum State {
    /** None was begun yet. */
    IDLE,
    /** Its operations may still be undone. */
    ACTIVE,
    /** Its one record, commit included, is in the log, and not yet in the memory component. */
    APPLYING,
    /** Its commit record is in the log, durable or not. */
    COMMITTED,
    /** It never happened. */
    ABORTED
  }

  private final TransactionTable table;
  private final TransactionLog log;
  private final LogUpdate update = new LogUpdate();
  private final UndoList undo = new UndoList();
  private long id = -1;
  private long firstLsn = -1;
  private long lastLsn = -1;
  private State state = State.IDLE;

  /**
   * No record of the active transaction lies below; read by the thread that computes a low-water
   * mark.
   */
  private final AtomicLong floor = new AtomicLong(NO_FLOOR);

  Transaction(TransactionTable table) {
    this.table = table;
    this.log = table.log();
  }

  /** Starts the next transaction. */
  public Transaction begin() {
    require(state != State.ACTIVE && state != State.APPLYING);
    // Published before the first append, so that no reader of the log sees the record and misses
    // its transaction.
    floor.setRelease(log.endLsn());
    id = table.takeId();
    firstLsn = -1;
    lastLsn = -1;
    state = State.ACTIVE;
    return this;
  }

  /** Appends the log record of one operation on one index; returns its LSN. */
  public long update(int index, LogOperation operation, Slice key, Slice value)
      throws StorageException {
    require(state == State.ACTIVE);
    update.transaction(id).previousLsn(lastLsn).change(index, operation).entry(key, value);
    long lsn = log.appendUpdate(update);
    if (firstLsn < 0) {
      firstLsn = lsn;
    }
    lastLsn = lsn;
    return lsn;
  }

  /** Remembers what would undo an operation; the bytes are copied. */
  public void willUndo(int index, LogOperation inverse, Slice key, Slice value) {
    require(state == State.ACTIVE);
    undo.add(index, inverse, key, value);
  }

  /**
   * Appends the commit record. A caller that relies on it waits until the log is durable up to it.
   *
   * @return LSN of the commit record; -1 when the transaction logged nothing
   */
  public long commit() throws StorageException {
    require(state == State.ACTIVE);
    if (lastLsn >= 0) {
      lastLsn = log.appendCommit(id, lastLsn);
    }
    end(State.COMMITTED);
    return lastLsn;
  }

  /**
   * Begins the next transaction and appends its only operation together with its commit; it needs
   * no number. It still counts as active for the low-water mark, until {@link #applied}: the log is
   * needed for it until a memory component knows of its LSN. When this throws there is none.
   *
   * @return LSN of the record
   */
  public long commitAlone(int index, LogOperation operation, Slice key, Slice value)
      throws StorageException {
    require(state != State.ACTIVE && state != State.APPLYING);
    // As in begin.
    floor.setRelease(log.endLsn());
    boolean appended = false;
    try {
      lastLsn = log.appendLoneUpdate(index, operation, key, value);
      firstLsn = lastLsn;
      state = State.APPLYING;
      appended = true;
    } finally {
      if (!appended) {
        floor.setRelease(NO_FLOOR);
      }
    }
    return lastLsn;
  }

  /** The operation that was committed alone is in its memory component. */
  public void applied() {
    require(state == State.APPLYING);
    state = State.COMMITTED;
    floor.setRelease(NO_FLOOR);
  }

  /** Where the next inverse operation will be remembered, for {@link #inversesSince}. */
  public int undoMark() {
    require(state == State.ACTIVE);
    return undo.mark();
  }

  /**
   * Shows the inverse operations that were remembered since a mark, the last one first. To take
   * them back and go on, a caller logs each by {@link #update} and carries it out, so that a redo
   * does the same, and then {@linkplain #forgetInversesSince forgets} them.
   */
  public void inversesSince(int mark, UndoTarget target) throws StorageException {
    require(state == State.ACTIVE);
    undo.applyInReverse(mark, target);
  }

  /** Forgets the inverse operations since a mark: they were carried out. */
  public void forgetInversesSince(int mark) {
    require(state == State.ACTIVE);
    undo.forget(mark);
  }

  /**
   * Applies the inverse operations, the last one first, and ends the transaction. The abort record
   * only tells a reader of the log what recovery would conclude from the missing commit, so it is
   * left out where the log takes no more.
   */
  public void abort(UndoTarget target) throws StorageException {
    require(state == State.ACTIVE);
    undo.applyInReverse(0, target);
    try {
      if (lastLsn >= 0) {
        log.appendAbort(id, lastLsn);
      }
    } catch (DiskException e) {
      LOGGER.debug("no abort record for transaction {}", id, e);
    } finally {
      // It is undone, whatever the log says to that.
      end(State.ABORTED);
    }
  }

  private void end(State ended) {
    undo.clear();
    state = ended;
    floor.setRelease(NO_FLOOR);
  }

  private void require(boolean allowed) {
    if (!allowed) {
      throw new IllegalStateException("transaction " + id + " is " + state);
    }
  }

  /** Number of the transaction that was begun last. */
  public long id() {
    return id;
  }

  /** LSN of its first record, -1 before that. */
  public long firstLsn() {
    return firstLsn;
  }

  /** LSN of its last record, -1 before its first; that of its commit once it is committed. */
  public long lastLsn() {
    return lastLsn;
  }

  /** Where it is in its life. */
  public State state() {
    return state;
  }

  /** Inverse operations that are remembered. */
  public int undoSize() {
    return undo.size();
  }

  /**
   * No record of it lies below this LSN, from which on the log is kept for it; {@link
   * Long#MAX_VALUE} when it is not active. Any thread may ask.
   */
  public long floor() {
    return floor.getAcquire();
  }

  /**
   * Leaves the table; an active transaction must be committed or aborted before. One whose
   * operation is committed and was never applied stays, so that the log keeps it for recovery.
   */
  @Override
  public void close() {
    require(state != State.ACTIVE);
    if (state != State.APPLYING) {
      table.forget(this);
    }
  }
}
