package dev.varve.dataset.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.Entry;

/**
 * Record transactions that share one force of the log: a batch or a frame. Each operation is a
 * transaction of its own, all or nothing across primary and secondaries; one that throws left
 * nothing behind, and the session goes on (unless the engine has failed). An operation that
 * returned is committed but not yet acknowledged: it holds its lock, so that nobody reads it, until
 * {@link #force} returns. {@link #close} forces what is left. Confined to one thread.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class WriteSession implements AutoCloseable {
  WriteSession() {}

  /**
   * Inserts a record of a dataset.
   *
   * @throws dev.varve.common.error.ConflictException with {@code DUPLICATE_KEY} when a record has
   *     the key
   */
  public void insert(Slice record) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Inserts a record of a dataset or replaces the one with its primary key. */
  public WriteOutcome upsert(Slice record) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /**
   * Inserts a pair into a key-value store.
   *
   * @throws dev.varve.common.error.ConflictException with {@code DUPLICATE_KEY} when the key is
   *     there
   */
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

  /**
   * Reads a record, those of this session that are not forced yet included.
   *
   * @param found filled with copies of key and record when the result is true
   */
  public boolean get(Slice key, Entry found) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Operations that are committed and not yet forced. */
  public int unforced() {
    throw new UnsupportedOperationException();
  }

  /**
   * Makes every operation so far durable to the session's level, and lets others see them. When it
   * returns they are acknowledged.
   *
   * @throws dev.varve.common.error.OutcomeUnknownException when the log failed on the way
   */
  public void force() throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Forces what is left and ends the session; idempotent. */
  @Override
  public void close() throws StorageException {}
}
