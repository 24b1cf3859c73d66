package dev.varve.dataset;

import dev.varve.common.error.OutcomeUnknownException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.NodeTransaction;

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
