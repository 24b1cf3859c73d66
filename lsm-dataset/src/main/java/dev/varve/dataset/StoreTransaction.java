package dev.varve.dataset;

import dev.varve.common.error.OutcomeUnknownException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.NodeTransaction;
import dev.varve.dataset.model.Savepoint;
import java.util.Objects;

/**
 * How every transaction over several records ends: as a whole, in all stores that it has changed,
 * whichever of its parts is asked. {@link #close} without {@link #commit} aborts. Confined to one
 * thread.
 */
public abstract sealed class StoreTransaction implements AutoCloseable
    permits EngineTransaction, KeyValueTransaction, RecordTransaction {
  final NodeTransaction transaction;

  StoreTransaction(NodeTransaction transaction) {
    this.transaction = transaction;
  }

  /** Whether neither commit nor abort has ended it. */
  public final boolean active() {
    return transaction.active();
  }

  /** Remembers the changes so far, in all stores, to take back those that follow. */
  public final Savepoint savepoint() throws StorageException {
    return transaction.savepoint();
  }

  /**
   * Takes back what was changed since a savepoint, in all stores, and goes on from there: own reads
   * that begin afterwards see what was there at the savepoint. It may be gone back to again; later
   * savepoints are forgotten. Locks that were taken since stay, a record that was changed and taken
   * back counts as changed for {@link dev.varve.dataset.model.Isolation#SNAPSHOT}, and the memory
   * that the changes took is free only at the end. What fails on the way aborts the transaction.
   *
   * @throws IllegalArgumentException when the savepoint is of another transaction, or was forgotten
   */
  public final void rollbackTo(Savepoint savepoint) throws StorageException {
    transaction.rollbackTo(Objects.requireNonNull(savepoint, "savepoint"));
  }

  /**
   * Makes all changes durable together and releases the locks.
   *
   * @throws OutcomeUnknownException when the log failed on the way; the records stay locked
   */
  public final void commit() throws StorageException {
    transaction.commit();
  }

  /** Takes all changes back and releases the locks; idempotent. */
  public final void abort() throws StorageException {
    transaction.abort();
  }

  /** Aborts unless committed; idempotent. */
  @Override
  public final void close() throws StorageException {
    transaction.close();
  }
}
