package dev.varve.dataset.engine;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.catalog.DatasetOptions;
import dev.varve.dataset.partition.Partition;
import dev.varve.dataset.partition.RecordCursor;
import dev.varve.dataset.partition.WriteOutcome;
import dev.varve.dataset.record.Key;
import java.util.Optional;

/**
 * A dataset of JSON records: its local partitions behind one front. Each call that writes is a
 * transaction of its own, acknowledged when it returns; for many records use a session on each
 * partition. Thread-safe; every call after the engine was closed, or the dataset dropped, throws
 * {@link IllegalStateException}.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class Dataset {
  Dataset() {}

  /** Its options as they stand in the catalog. */
  public DatasetOptions options() {
    throw new UnsupportedOperationException();
  }

  /** Number of local partitions. */
  public int partitionCount() {
    throw new UnsupportedOperationException();
  }

  /** A local partition, for callers that route by themselves. */
  public Partition partition(int number) {
    throw new UnsupportedOperationException();
  }

  /** Number of the local partition that holds a primary key. */
  public int partitionOf(Key primaryKey) {
    throw new UnsupportedOperationException();
  }

  /**
   * Inserts a record.
   *
   * @throws dev.varve.common.error.ConflictException with {@code DUPLICATE_KEY}
   * @throws dev.varve.common.error.RequestException with {@code MALFORMED_RECORD}
   */
  public void insert(byte[] record) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Inserts a record or replaces the one with its primary key. */
  public WriteOutcome upsert(byte[] record) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Deletes a record if it is there. */
  public WriteOutcome delete(Key primaryKey) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Reads a record. */
  public Optional<byte[]> get(Key primaryKey) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Scans all partitions, merged in the order of primary keys. */
  @MustBeClosed
  public RecordCursor scan(KeyRange primaryKeys) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Searches a secondary index in all partitions, one after the other. */
  @MustBeClosed
  public RecordCursor search(String index, KeyRange values) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Flushes all indexes and waits. */
  public void flush() throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Flushes all indexes, merges each into one component, and waits. */
  public void compact() throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Checks every rule of its files and that its secondaries are the projection of the primary. */
  public VerifyReport verify() throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** What it holds. */
  public DatasetStats stats() throws StorageException {
    throw new UnsupportedOperationException();
  }
}
