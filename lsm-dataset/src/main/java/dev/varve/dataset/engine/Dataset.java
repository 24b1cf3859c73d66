package dev.varve.dataset.engine;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.Entry;
import dev.varve.dataset.catalog.DatasetOptions;
import dev.varve.dataset.catalog.MergePolicyOptions;
import dev.varve.dataset.partition.Partition;
import dev.varve.dataset.partition.PartitionHost;
import dev.varve.dataset.partition.RankedCursor;
import dev.varve.dataset.partition.RecordCursor;
import dev.varve.dataset.partition.WriteOutcome;
import dev.varve.dataset.record.Key;
import dev.varve.dataset.record.RecordLimits;
import dev.varve.dataset.record.Routing;
import dev.varve.dataset.record.ValueRange;
import dev.varve.dataset.search.IndexSearch;
import dev.varve.dataset.search.KeySearch;
import dev.varve.dataset.search.NearestSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A dataset of JSON records: its local partitions behind one front. Each call that writes is a
 * transaction of its own, acknowledged when it returns; for many records use a session on each
 * partition. Thread-safe; every call after the engine was closed, or the dataset dropped, throws
 * {@link IllegalStateException}.
 */
public final class Dataset {
  private final ManagedDataset managed;
  private final RecordWriters writers;

  Dataset(ManagedDataset managed, RecordLimits limits) {
    this.managed = managed;
    this.writers = new RecordWriters(options().schema(), limits, managed.hosts());
  }

  ManagedDataset managed() {
    return managed;
  }

  /** Ends what is kept for later writes: there will be none. */
  void dispose() {
    writers.close();
  }

  /** Its options as they stand in the catalog. */
  public DatasetOptions options() {
    return managed.descriptor().options();
  }

  /** Number of local partitions. */
  public int partitionCount() {
    return managed.hosts().size();
  }

  /** A local partition, for callers that route by themselves. */
  public Partition partition(int number) {
    return managed.hosts().get(number).partition();
  }

  /** Number of the local partition that holds a primary key. */
  public int partitionOf(Key primaryKey) {
    return Routing.partition(primaryKey.toSlice(), partitionCount());
  }

  /**
   * Inserts a record.
   *
   * @throws dev.varve.common.error.ConflictException with {@code DUPLICATE_KEY}
   * @throws dev.varve.common.error.RequestException with {@code MALFORMED_RECORD}
   */
  public void insert(byte[] record) throws StorageException {
    Slice slice = new Slice(Objects.requireNonNull(record, "record"));
    writers.writeRecord(
        slice,
        session -> {
          session.insert(slice);
          return WriteOutcome.ABSENT;
        });
  }

  /** Inserts a record or replaces the one with its primary key. */
  public WriteOutcome upsert(byte[] record) throws StorageException {
    Slice slice = new Slice(Objects.requireNonNull(record, "record"));
    return writers.writeRecord(slice, session -> session.upsert(slice));
  }

  /** Deletes a record if it is there. */
  public WriteOutcome delete(Key primaryKey) throws StorageException {
    Slice key = Objects.requireNonNull(primaryKey, "primaryKey").toSlice();
    return writers.writeKey(key, session -> session.delete(primaryKey));
  }

  /** Reads a record. */
  public Optional<byte[]> get(Key primaryKey) throws StorageException {
    Entry found = new Entry();
    Slice key = Objects.requireNonNull(primaryKey, "primaryKey").toSlice();
    return partition(Routing.partition(key, partitionCount())).get(key, found)
        ? Optional.of(found.value().toByteArray())
        : Optional.empty();
  }

  /**
   * Scans all partitions, merged in the order of primary keys, ascending or descending. A bound
   * stands for every key that begins with it; see {@link ValueRange}.
   */
  @MustBeClosed
  public RecordCursor scan(KeyRange primaryKeys) throws StorageException {
    return new MergedCursor(
        openAll(partition -> partition.scan(primaryKeys)),
        primaryKeys.direction() == KeyRange.Direction.DESCENDING);
  }

  /**
   * Searches a secondary B+-tree in all partitions, one after the other. A bound stands for every
   * entry whose values begin with it; see {@link ValueRange}.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNKNOWN_INDEX}
   * @throws IllegalArgumentException when the range is descending: records come in the order of
   *     their primary keys, batch after batch
   */
  @MustBeClosed
  public RecordCursor search(String index, KeyRange values) throws StorageException {
    return search(index, new KeySearch(values));
  }

  /**
   * Searches a secondary index in all partitions, one after the other; a search for the nearest in
   * all of them at once, with a {@link RankedCursor}.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNKNOWN_INDEX}, or {@code
   *     UNSUPPORTED} when the index is of a kind that does not answer such a search
   */
  @MustBeClosed
  public RecordCursor search(String index, IndexSearch search) throws StorageException {
    List<RecordCursor> cursors = openAll(partition -> partition.search(index, search));
    return search instanceof NearestSearch
        ? new NearestOfAll(cursors.stream().map(RankedCursor.class::cast).toList())
        : new ChainedCursor(cursors);
  }

  /** Opens a cursor in a partition. */
  @FunctionalInterface
  private interface CursorOpener {
    @MustBeClosed
    RecordCursor open(Partition partition) throws StorageException;
  }

  @SuppressWarnings("MustBeClosedChecker") // the joined cursor closes them
  private List<RecordCursor> openAll(CursorOpener opener) throws StorageException {
    List<RecordCursor> cursors = new ArrayList<>();
    try {
      for (PartitionHost host : managed.hosts()) {
        cursors.add(opener.open(host.partition()));
      }
      return cursors;
    } catch (StorageException | RuntimeException | Error e) {
      RecordCursor.closeAll(cursors);
      throw e;
    }
  }

  /**
   * Gives it another merge policy, with the component limit that the policy brings: durably, and at
   * once for all of its indexes, while others read and write.
   */
  public void setMergePolicy(MergePolicyOptions policy) throws StorageException {
    managed.setMergePolicy(policy);
  }

  /** Flushes all indexes and waits. */
  public void flush() throws StorageException {
    Reports.flush(managed);
  }

  /** Flushes all indexes, merges each into one component, and waits. */
  public void compact() throws StorageException {
    Reports.compact(managed);
  }

  /**
   * Checks every rule of its files and that its secondaries are the projection of the primary.
   * Writers wait meanwhile.
   */
  public VerifyReport verify() throws StorageException {
    return Reports.verify(List.of(managed));
  }

  /** What it holds. */
  public DatasetStats stats() throws StorageException {
    return Reports.stats(managed);
  }
}
