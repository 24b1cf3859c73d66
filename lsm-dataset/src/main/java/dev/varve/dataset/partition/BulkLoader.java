package dev.varve.dataset.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;

/**
 * Loads an empty partition from records in ascending order of their primary keys, past log and
 * memory components. All or nothing: before {@link #finish} returned, or after a crash before it
 * did, the partition is empty. Confined to one thread.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class BulkLoader implements AutoCloseable {
  BulkLoader() {}

  /** Adds a record of a dataset. */
  public void add(Slice record) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Adds a pair to a key-value store. */
  public void add(Slice key, Slice value) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Publishes everything durably and returns the number of records. */
  public long finish() throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Without {@link #finish}: removes what was written. Idempotent. */
  @Override
  public void close() {}
}
