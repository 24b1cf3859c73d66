package dev.varve.dataset.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;

/**
 * Loads an empty partition of a dataset from records in ascending order of their primary keys, past
 * log and memory components. All or nothing: before {@link #finish} returned, or after a crash
 * before it did, the partition is empty. Writers of the partition wait while a loader is open;
 * readers see nothing of the load until its end. An engine that is closed waits for a loader, and
 * then ends it without its records: every later call but {@link #close} throws a {@link
 * ConflictException} with {@code ABORTED}. Confined to one thread.
 */
public final class RecordLoader implements AutoCloseable {
  private final BulkLoader loader;

  RecordLoader(BulkLoader loader) {
    this.loader = loader;
  }

  /**
   * Adds a record.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNSORTED_INPUT}, {@code
   *     MALFORMED_RECORD}, or {@code WRONG_PARTITION} when its key belongs to another partition or
   *     node; the load cannot go on and is to be closed
   */
  public void add(Slice record) throws StorageException {
    loader.addRecord(record);
  }

  /** Publishes everything durably and returns the number of records. */
  public long finish() throws StorageException {
    return loader.finish();
  }

  /**
   * Without {@link #finish}: removes what was written. What cannot be removed now is deleted when
   * the engine is opened again, and until then the partition refuses every call. Idempotent.
   */
  @Override
  public void close() {
    loader.close();
  }
}
