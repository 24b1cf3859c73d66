package dev.varve.hyracks.adapter;

import dev.varve.common.error.StorageException;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;

/** A bulk load into an empty index, of all of its tuples or none. Confined to one thread. */
interface TupleLoad extends AutoCloseable {
  /** Adds a tuple. */
  void add(ITupleReference tuple) throws StorageException, HyracksDataException;

  /** Publishes all, durably. */
  void finish() throws StorageException, HyracksDataException;

  /** Without {@link #finish}: leaves nothing behind. Idempotent. */
  @Override
  void close() throws StorageException;
}
