package dev.varve.dataset;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.NodeTransaction;
import dev.varve.dataset.internal.partition.Partition;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.Isolation;
import dev.varve.dataset.model.KeyCursor;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.PartitionStats;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.transaction.log.Durability;
import java.util.List;

/**
 * One partition of a dataset, for callers that route by themselves: a primary index and its
 * secondaries, which agree at every moment that a reader can see. Records and keys of other
 * partitions are refused. Thread-safe.
 *
 * <p>Isolation: what a read returns was committed, and durable to its writer's level, when it was
 * returned. A point read is linearizable. A scan or secondary search sees each record as of some
 * moment between its opening and its end; it is no snapshot of the whole. A read does not wait for
 * a transaction, and sees what was committed before it. It waits for the force of a session that
 * has written the record, so a thread must not read past its own session what that has changed and
 * not yet forced; the session's own {@code get} may.
 */
public final class DatasetPartition {
  private final Partition partition;

  DatasetPartition(Partition partition) {
    this.partition = partition;
  }

  /** Opens a session at the engine's level of durability. */
  @MustBeClosed
  public RecordSession openSession() throws StorageException {
    return openSession(partition.durability());
  }

  /** Opens a session whose acknowledgements promise this level of durability. */
  @MustBeClosed
  public RecordSession openSession(Durability durability) throws StorageException {
    return new RecordSession(List.of(partition), durability);
  }

  /** Begins a transaction over several records. */
  @MustBeClosed
  public RecordTransaction beginTransaction() throws StorageException {
    return new RecordTransaction(
        NodeTransaction.in(List.of(partition), Isolation.LOCKED_READS), List.of(partition));
  }

  /**
   * Starts loading the partition, which must be empty; others' writes to it wait.
   *
   * @throws dev.varve.common.error.ConflictException with {@code NOT_EMPTY}
   */
  @MustBeClosed
  public RecordLoader bulkLoad() throws StorageException {
    return new RecordLoader(List.of(partition));
  }

  /**
   * Reads a record by its encoded primary key.
   *
   * @param found filled with copies of key and record when the result is true
   * @throws dev.varve.common.error.RequestException with {@code WRONG_PARTITION}
   */
  public boolean get(Slice primaryKey, KeyValue found) throws StorageException {
    return partition.get(primaryKey, found.entry);
  }

  /** Scans records in the order of their primary keys; see {@link Dataset#scan(KeyRange)}. */
  @MustBeClosed
  public RecordCursor scan(KeyRange primaryKeys) throws StorageException {
    return partition.scan(primaryKeys);
  }

  /** Searches a secondary B+-tree; see {@link Dataset#search(String, KeyRange)}. */
  @MustBeClosed
  public RecordCursor search(String index, KeyRange values) throws StorageException {
    return search(index, new KeySearch(values));
  }

  /** Searches a secondary index; see {@link Dataset#search(String, IndexSearch)}. */
  @MustBeClosed
  public RecordCursor search(String index, IndexSearch search) throws StorageException {
    return partition.search(index, search);
  }

  /** Searches for primary keys only; see {@link Dataset#searchKeys(String, IndexSearch)}. */
  @MustBeClosed
  public KeyCursor searchKeys(String index, IndexSearch search) throws StorageException {
    return partition.searchKeys(index, search);
  }

  /** Scans those records that a filter wants; see {@link Dataset#scan(KeyRange, FilterRange)}. */
  @MustBeClosed
  public RecordCursor scan(KeyRange primaryKeys, FilterRange filter) throws StorageException {
    return partition.scan(primaryKeys, filter);
  }

  /** See {@link Dataset#search(String, IndexSearch, FilterRange)}. */
  @MustBeClosed
  public RecordCursor search(String index, IndexSearch search, FilterRange filter)
      throws StorageException {
    return partition.search(index, search, filter);
  }

  /** See {@link Dataset#searchKeys(String, IndexSearch, FilterRange)}. */
  @MustBeClosed
  public KeyCursor searchKeys(String index, IndexSearch search, FilterRange filter)
      throws StorageException {
    return partition.searchKeys(index, search, filter);
  }

  /** See {@link Dataset#count(KeyRange, FilterRange)}. */
  public long count(KeyRange primaryKeys, FilterRange filter) throws StorageException {
    return partition.count(primaryKeys, filter);
  }

  /** See {@link Dataset#countBy(String, IndexSearch, FilterRange)}. */
  public long countBy(String index, IndexSearch search, FilterRange filter)
      throws StorageException {
    return partition.countBy(index, search, filter);
  }

  /**
   * Whether there is a record with an encoded primary key.
   *
   * @throws dev.varve.common.error.RequestException with {@code WRONG_PARTITION}
   */
  public boolean exists(Slice primaryKey) throws StorageException {
    return partition.exists(primaryKey);
  }

  /** Counts records in a range of primary keys; see {@link Dataset#count(KeyRange)}. */
  public long count(KeyRange primaryKeys) throws StorageException {
    return partition.count(primaryKeys);
  }

  /** Counts what a search finds; see {@link Dataset#countBy(String, KeyRange)}. */
  public long countBy(String index, KeyRange values) throws StorageException {
    return countBy(index, new KeySearch(values));
  }

  /** Counts what a search finds; see {@link Dataset#countBy(String, IndexSearch)}. */
  public long countBy(String index, IndexSearch search) throws StorageException {
    return partition.countBy(index, search);
  }

  /** What its indexes hold. */
  public PartitionStats stats() throws StorageException {
    return partition.stats();
  }
}
