package dev.varve.dataset.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.Entry;

/**
 * One partition of a dataset, or the one of a key-value store: a primary index and its secondaries,
 * which agree at every moment that a reader can see. Thread-safe.
 *
 * <p>Isolation: what a read returns was committed, and durable to its writer's level, when it was
 * returned. A point read is linearizable. A scan or secondary search sees each record as of some
 * moment between its opening and its end; it is no snapshot of the whole.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class Partition {
  Partition() {}

  /** Opens a session at the engine's level of durability. */
  @MustBeClosed
  public WriteSession openSession() throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Begins a transaction over several records, at the engine's level of durability. */
  @MustBeClosed
  public TransactionScope beginTransaction() throws StorageException {
    throw new UnsupportedOperationException();
  }

  /**
   * Reads a record; waits while another transaction is changing it.
   *
   * @param found filled with copies of key and record when the result is true
   */
  public boolean get(Slice key, Entry found) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Scans records in the order of their encoded primary keys. */
  @MustBeClosed
  public RecordCursor scan(KeyRange keys) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /**
   * Searches a secondary index: candidates are collected, sorted by primary key, looked up in the
   * primary index and validated. Records come in primary-key order, batch after batch.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNKNOWN_INDEX}
   */
  @MustBeClosed
  public RecordCursor search(String index, KeyRange values) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /**
   * Starts loading this partition, which must be empty; others' writes to it wait.
   *
   * @throws dev.varve.common.error.ConflictException with {@code NOT_EMPTY}
   */
  @MustBeClosed
  public BulkLoader bulkLoad() throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Flushes all indexes and waits. */
  public void flush() throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Flushes all indexes and merges each into one component, and waits. */
  public void compact() throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** What its indexes hold. */
  public PartitionStats stats() throws StorageException {
    throw new UnsupportedOperationException();
  }
}
