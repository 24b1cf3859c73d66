package dev.varve.dataset;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.dataset.internal.partition.NodeContext;
import dev.varve.dataset.internal.partition.Partition;
import dev.varve.dataset.internal.partition.ReadView;
import dev.varve.dataset.internal.partition.Snapshots;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeyCursor;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.RecordQuery;
import dev.varve.dataset.model.ResultCursor;
import java.util.List;
import java.util.Optional;

/**
 * All datasets and key-value stores of an engine as they were at one moment, when it was opened:
 * what was acknowledged before is in it, what is begun afterwards is not, and a transaction is
 * either in it with all of its changes or not at all. Point reads, scans, searches of every kind of
 * secondary index and counts agree with each other, however many writers, flushes and merges there
 * are. A read waits for nobody, except for the force of a session that had written the record
 * before the snapshot was opened and has not forced it yet; and the opening for single changes that
 * are at work, which takes microseconds.
 *
 * <p>While it is open, writers keep the version from before their first change of a record in
 * memory. When all of these take more than {@code snapshotBytes}, the oldest snapshot is given up:
 * its reads and cursors throw {@link dev.varve.common.error.ConflictException} with {@code
 * SNAPSHOT_GIVEN_UP}. A snapshot keeps neither files nor log, and holds up no flush and no merge. A
 * search looks at each record that has changed since.
 *
 * <p>A bulk load is in a snapshot, partition by partition, when it ended before. Thread-safe; its
 * cursors are confined to one thread each, and are closed by whoever opened them. After {@link
 * #close} every call throws {@link IllegalStateException}.
 */
public final class EngineSnapshot implements AutoCloseable {
  private final NodeContext node;
  private final Snapshots.Moment moment;
  private final ReadView view;

  @MustBeClosed
  EngineSnapshot(NodeContext node) {
    this.node = node;
    this.moment = node.snapshots().open();
    this.view = ReadView.asOf(moment);
  }

  private List<Partition> partitions(Store store) {
    store.requireOf(node);
    return store.managed.partitions().stream().map(partition -> partition.seenAs(view)).toList();
  }

  private RecordReads of(Dataset dataset) {
    return new RecordReads(partitions(dataset));
  }

  private Partition of(KeyValueStore store) {
    return partitions(store).get(0);
  }

  /**
   * A partition of a dataset, for callers that route by themselves: its reads are as of the moment,
   * and what it writes is written now.
   *
   * @param number from 0
   */
  public DatasetPartition partition(Dataset dataset, int number) {
    return new DatasetPartition(partitions(dataset).get(number));
  }

  /** Reads a record. */
  public Optional<byte[]> get(Dataset dataset, Key primaryKey) throws StorageException {
    return of(dataset).get(primaryKey);
  }

  /** Reads a value. */
  public Optional<byte[]> get(KeyValueStore store, byte[] key) throws StorageException {
    Entry found = new Entry();
    return of(store).get(new Slice(key), found)
        ? Optional.of(found.value().toByteArray())
        : Optional.empty();
  }

  /**
   * Reads many records, in one sweep over the indexes.
   *
   * @param primaryKeys in any order, each any number of times
   * @return what each of them has, in the same order
   */
  public List<Optional<byte[]>> getAll(Dataset dataset, List<Key> primaryKeys)
      throws StorageException {
    return of(dataset).getAll(primaryKeys);
  }

  /** Reads many values; see {@link #getAll(Dataset, List)}. */
  public List<Optional<byte[]>> getAll(KeyValueStore store, List<byte[]> keys)
      throws StorageException {
    return ManyRecords.get(partitions(store), ManyRecords.slices(keys, Slice::new));
  }

  /** Counts the records in a range of primary keys. */
  public long count(Dataset dataset, KeyRange primaryKeys) throws StorageException {
    return of(dataset).count(primaryKeys, FilterRange.NONE);
  }

  /** Counts the pairs in a range of keys. */
  public long count(KeyValueStore store, KeyRange keys) throws StorageException {
    return of(store).count(keys);
  }

  /**
   * Counts what {@link #search(Dataset, String, IndexSearch)} would return, with no more records
   * read than {@link Dataset#countBy(String, IndexSearch)} reads, and those that have changed
   * since.
   */
  public long countBy(Dataset dataset, String index, IndexSearch search) throws StorageException {
    return of(dataset).countBy(index, search, FilterRange.NONE);
  }

  /** Scans records in the order of their primary keys, as {@link Dataset#scan(KeyRange)} does. */
  @MustBeClosed
  public RecordCursor scan(Dataset dataset, KeyRange primaryKeys) throws StorageException {
    return scan(dataset, primaryKeys, FilterRange.NONE);
  }

  /** Scans those that a filter wants, as {@link Dataset#scan(KeyRange, FilterRange)} does. */
  @MustBeClosed
  public RecordCursor scan(Dataset dataset, KeyRange primaryKeys, FilterRange filter)
      throws StorageException {
    return of(dataset).scan(primaryKeys, filter);
  }

  /** Scans pairs in key order. */
  @MustBeClosed
  public RecordCursor scan(KeyValueStore store, KeyRange keys) throws StorageException {
    return of(store).scan(keys);
  }

  /** Reads records in an order, as {@link Dataset#query} does; each record comes once. */
  @MustBeClosed
  public ResultCursor query(Dataset dataset, RecordQuery query) throws StorageException {
    return of(dataset).query(query);
  }

  /** Searches a secondary index, as {@link Dataset#search(String, IndexSearch)} does. */
  @MustBeClosed
  public RecordCursor search(Dataset dataset, String index, IndexSearch search)
      throws StorageException {
    return search(dataset, index, search, FilterRange.NONE);
  }

  /**
   * Searches for those that a filter wants, as {@link Dataset#search(String, IndexSearch,
   * FilterRange)} does.
   */
  @MustBeClosed
  public RecordCursor search(Dataset dataset, String index, IndexSearch search, FilterRange filter)
      throws StorageException {
    return of(dataset).search(index, search, filter);
  }

  /** The primary keys of what {@link #search(Dataset, String, IndexSearch)} would return. */
  @MustBeClosed
  public KeyCursor searchKeys(Dataset dataset, String index, IndexSearch search)
      throws StorageException {
    return of(dataset).searchKeys(index, search, FilterRange.NONE);
  }

  /** What was kept for it may be forgotten; idempotent. */
  @Override
  public void close() {
    node.snapshots().close(moment);
  }
}
