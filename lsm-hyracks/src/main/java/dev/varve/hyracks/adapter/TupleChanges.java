package dev.varve.hyracks.adapter;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.WriteOutcome;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.jspecify.annotations.Nullable;

/**
 * Changes of one index that are acknowledged together: a session, whose changes are transactions of
 * their own and share a force of the log, or one transaction. Confined to one thread at a time; who
 * opened it closes it.
 */
interface TupleChanges extends AutoCloseable {
  /** Inserts a tuple whose key is not there. */
  void insert(ITupleReference tuple) throws StorageException, HyracksDataException;

  /** Inserts a tuple or replaces the one with its key. */
  WriteOutcome upsert(ITupleReference tuple) throws StorageException, HyracksDataException;

  /** Deletes the tuple with a key, if there is one. */
  WriteOutcome delete(ITupleReference tuple) throws StorageException, HyracksDataException;

  /**
   * The tuple with the key of this one, own changes included; null when there is none.
   *
   * @return a view, valid until the next call
   */
  @Nullable ITupleReference find(ITupleReference tuple)
      throws StorageException, HyracksDataException;

  /** Acknowledges: forces the session, which goes on, or commits the transaction, which ends. */
  void end() throws StorageException;

  /** Closes the session, or aborts the transaction unless it was committed. */
  @Override
  void close() throws StorageException;
}
