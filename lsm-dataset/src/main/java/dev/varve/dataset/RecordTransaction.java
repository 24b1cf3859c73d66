package dev.varve.dataset;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.dataset.internal.partition.NodeTransaction;
import dev.varve.dataset.internal.partition.Partition;
import dev.varve.dataset.internal.partition.RecordWriter;
import dev.varve.dataset.internal.partition.TransactionWriter;
import dev.varve.dataset.kind.MergePatch;
import dev.varve.dataset.kind.RecordReader;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.OrderedSearch;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.RecordQuery;
import dev.varve.dataset.model.ResultCursor;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.transaction.lock.LockMode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A transaction over several records of a dataset, of whatever partitions: all of them or none, in
 * all indexes; or the part in one dataset of an {@link EngineTransaction}, which it ends as a
 * whole. It holds its locks to the end. A record that is refused for what it is (duplicate,
 * malformed, over a limit, of another node: {@link dev.varve.common.error.RequestException} with
 * {@code WRONG_PARTITION}) leaves the transaction as it was; any other failure aborts it: a
 * deadlock, a lock time-out, a full disk, or more changes than the dataset's memory takes. {@link
 * #close} without {@link #commit} aborts. While it is open, its changes hold up flushes; it is
 * meant to be short. An engine that is closed waits for it, and then aborts it: every later call
 * but {@link #close} throws a {@link ConflictException} with {@code ABORTED}. An open engine aborts
 * it, too, when it is open for longer than {@code transactionTimeoutMillis}; the reason is {@code
 * TRANSACTION_TIMED_OUT} then. Confined to one thread.
 */
public final class RecordTransaction extends StoreTransaction {
  private final List<Partition> partitions;
  private final PartitionRouter router;

  /** A transaction's changes in these partitions. */
  RecordTransaction(NodeTransaction transaction, List<Partition> partitions) {
    super(transaction);
    this.partitions = partitions;
    this.router = new PartitionRouter(partitions);
  }

  private TransactionWriter ofRecord(Slice record) throws StorageException {
    return transaction.writer(partitions.get(router.ofRecord(record)));
  }

  private TransactionWriter ofKey(Slice key) throws StorageException {
    return transaction.writer(partitions.get(router.ofKey(key)));
  }

  /**
   * Inserts a record.
   *
   * @throws ConflictException with {@code DUPLICATE_KEY} when a record has the key
   * @throws dev.varve.common.error.RequestException with {@code MALFORMED_RECORD}
   */
  public void insert(Slice record) throws StorageException {
    ofRecord(record).changeRecord(RecordWriter.Operation.INSERT, record);
  }

  /** Inserts a record; see {@link #insert(Slice)}. */
  public void insert(byte[] record) throws StorageException {
    insert(new Slice(record));
  }

  /** Inserts a record or replaces the one with its primary key. */
  public WriteOutcome upsert(Slice record) throws StorageException {
    return ofRecord(record).changeRecord(RecordWriter.Operation.UPSERT, record);
  }

  /** Inserts a record or replaces the one with its primary key. */
  public WriteOutcome upsert(byte[] record) throws StorageException {
    return upsert(new Slice(record));
  }

  /** Deletes the record with a primary key, if there is one. */
  public WriteOutcome delete(Key primaryKey) throws StorageException {
    Slice key = encoded(primaryKey);
    return ofKey(key).deleteKey(key);
  }

  /** Reads a record under a shared lock that is held to the end, own changes included. */
  public Optional<byte[]> get(Key primaryKey) throws StorageException {
    return read(primaryKey, LockMode.SHARED);
  }

  /**
   * Reads a record that this transaction will change: under the lock that the change takes. Of two
   * that read with {@link #get} before they change the same record, each would wait for the other
   * to let go, and one would be aborted.
   */
  public Optional<byte[]> getForUpdate(Key primaryKey) throws StorageException {
    return read(primaryKey, LockMode.EXCLUSIVE);
  }

  private Optional<byte[]> read(Key primaryKey, LockMode mode) throws StorageException {
    Entry found = new Entry();
    Slice key = encoded(primaryKey);
    return ofKey(key).get(key, mode, found)
        ? Optional.of(found.value().toByteArray())
        : Optional.empty();
  }

  /**
   * Changes a record by what it is now, under the lock that the change takes.
   *
   * @param change is given the record, own changes included, or nothing where there is none, and
   *     returns what it becomes, with the same primary key; nothing deletes it. What it throws goes
   *     through, and the record stays as it was
   * @return what the function has returned
   * @throws RequestException with {@code MALFORMED_RECORD}, also for one with another primary key
   */
  public Optional<byte[]> update(Key primaryKey, UnaryOperator<Optional<byte[]>> change)
      throws StorageException {
    Optional<byte[]> before = getForUpdate(primaryKey);
    Optional<byte[]> after = change.apply(before);
    if (after.isPresent()) {
      requireKey(primaryKey, after.get());
      upsert(after.get());
    } else if (before.isPresent()) {
      delete(primaryKey);
    }
    return after;
  }

  private void requireKey(Key primaryKey, byte[] record) throws StorageException {
    RecordReader reader = partitions.get(0).lifecycle().newRecordReader();
    reader.read(new Slice(record));
    RecordWriter.requireKey(primaryKey.toSlice(), reader.primaryKey());
  }

  /**
   * Changes some fields of a record, under the lock that the change takes, by a JSON merge patch;
   * see {@link Dataset#patch}. A patch that is refused leaves the transaction as it was.
   */
  public WriteOutcome patch(Key primaryKey, byte[] patch) throws StorageException {
    MergePatch merge = ofKey(encoded(primaryKey)).readPatch(new Slice(patch));
    Optional<byte[]> before = getForUpdate(primaryKey);
    if (before.isEmpty()) {
      return WriteOutcome.ABSENT;
    }
    byte[] after = merge.applyTo(new Slice(before.get()));
    requireKey(primaryKey, after);
    return upsert(after);
  }

  /**
   * Scans as {@link Dataset#scan(KeyRange)} does, with its own changes up to the scan's opening;
   * whether later ones are seen is not said. It locks nothing.
   */
  @MustBeClosed
  public RecordCursor scan(KeyRange primaryKeys) throws StorageException {
    return new MergedCursor(
        PartitionCursors.open(partitions, partition -> transaction.scan(partition, primaryKeys)),
        primaryKeys.direction() == KeyRange.Direction.DESCENDING);
  }

  /**
   * Searches as {@link Dataset#search(String, IndexSearch)} does, with its own changes up to the
   * search's opening; whether later ones are seen is not said. It locks nothing.
   */
  @MustBeClosed
  public RecordCursor search(String index, IndexSearch search) throws StorageException {
    return PartitionCursors.join(
        PartitionCursors.open(
            partitions, partition -> transaction.search(partition, index, search)),
        search);
  }

  /**
   * Reads records in an order as {@link Dataset#query} does, of which filters are refused, with its
   * own changes up to then; whether later ones are seen is not said. It locks nothing.
   *
   * @throws RequestException as {@link Dataset#query} does
   */
  @MustBeClosed
  public ResultCursor query(RecordQuery query) throws StorageException {
    if (query.filter().restricts()) {
      throw new RequestException(
          RequestException.Reason.UNSUPPORTED,
          "a query of a transaction takes no filter; leave it out, or ask the dataset");
    }
    return RecordReads.query(
        partitions.get(0),
        query,
        asked ->
            asked.index().isEmpty()
                ? scan(asked.range())
                : search(asked.index().get(), new OrderedSearch(asked.range())));
  }

  /** Searches a B+-tree; see {@link #search(String, IndexSearch)}. */
  @MustBeClosed
  public RecordCursor search(String index, KeyRange values) throws StorageException {
    return search(index, new KeySearch(values));
  }

  private static Slice encoded(Key primaryKey) {
    return Objects.requireNonNull(primaryKey, "primaryKey").toSlice();
  }
}
