package dev.varve.dataset.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.Entry;

/**
 * A transaction over several records of a partition: all of them or none. It holds its locks to the
 * end. An operation that throws for a reason of its own record (duplicate, malformed) leaves the
 * transaction open; a deadlock, a lock time-out or a full memory aborts it. {@link #close} without
 * {@link #commit} aborts. Confined to one thread.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class TransactionScope implements AutoCloseable {
  TransactionScope() {}

  /** Inserts a record of a dataset; a duplicate key is refused. */
  public void insert(Slice record) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Inserts a record of a dataset or replaces the one with its primary key. */
  public WriteOutcome upsert(Slice record) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Inserts a pair into a key-value store; a duplicate key is refused. */
  public void insert(Slice key, Slice value) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Inserts a pair into a key-value store or replaces the one with its key. */
  public WriteOutcome upsert(Slice key, Slice value) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Deletes the record with an encoded primary key, if there is one. */
  public WriteOutcome delete(Slice key) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Reads a record under a shared lock that is held to the end, own changes included. */
  public boolean get(Slice key, Entry found) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Makes all changes durable together and releases the locks. */
  public void commit() throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Takes all changes back and releases the locks; idempotent. */
  public void abort() throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Aborts unless committed; idempotent. */
  @Override
  public void close() throws StorageException {}
}
