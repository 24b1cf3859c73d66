package dev.varve.dataset.engine;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.Entry;
import dev.varve.dataset.partition.BulkLoader;
import dev.varve.dataset.partition.Partition;
import dev.varve.dataset.partition.RecordCursor;
import dev.varve.dataset.partition.TransactionScope;
import dev.varve.dataset.partition.WriteSession;

/**
 * One transactional LSM B+-tree over raw key and value bytes: a partition without secondaries.
 * Thread-safe; every call after the engine was closed, or the store dropped, throws {@link
 * IllegalStateException}.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class KeyValueStore {
  KeyValueStore() {}

  /** Its name. */
  public String name() {
    throw new UnsupportedOperationException();
  }

  /** The partition behind it. */
  public Partition partition() {
    throw new UnsupportedOperationException();
  }

  /** Opens a session at the engine's level of durability. */
  @MustBeClosed
  public WriteSession openSession() throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Begins a transaction over several pairs. */
  @MustBeClosed
  public TransactionScope beginTransaction() throws StorageException {
    throw new UnsupportedOperationException();
  }

  /**
   * Reads a value.
   *
   * @param found filled with copies of key and value when the result is true
   */
  public boolean get(Slice key, Entry found) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Scans pairs in key order. */
  @MustBeClosed
  public RecordCursor scan(KeyRange keys) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Starts loading the store, which must be empty. */
  @MustBeClosed
  public BulkLoader bulkLoad() throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Flushes and waits. */
  public void flush() throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Flushes, merges into one component, and waits. */
  public void compact() throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Checks every rule of its files. */
  public VerifyReport verify() throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** What it holds. */
  public DatasetStats stats() throws StorageException {
    throw new UnsupportedOperationException();
  }
}
