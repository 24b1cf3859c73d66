package dev.varve.dataset;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.NodeTransaction;
import dev.varve.dataset.internal.partition.Partition;
import dev.varve.dataset.model.EngineRequest;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.Isolation;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeyCursor;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.RankedCursor;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.RecordQuery;
import dev.varve.dataset.model.ResultCursor;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.transaction.log.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * A dataset of JSON records, in one partition or several. Each call that writes is a transaction of
 * its own, acknowledged at the engine's level of durability when it returns; for many records use a
 * session. Thread-safe; every call after the engine was closed, or the dataset dropped, throws
 * {@link IllegalStateException}.
 */
public final class Dataset extends Store {
  private final List<DatasetPartition> partitions;
  private final RecordReads reads;
  private final SessionPool<RecordSession> sessions = new SessionPool<>(this::openSession);

  Dataset(ManagedDataset managed) {
    super(managed);
    this.partitions = managed.partitions().stream().map(DatasetPartition::new).toList();
    this.reads = new RecordReads(managed.partitions());
  }

  @Override
  void dispose() {
    sessions.close();
  }

  /** Its options as they stand in the catalog. */
  public DatasetOptions options() {
    return managed.descriptor().options();
  }

  /**
   * Has secondary indexes follow the changes of records in another way: durably, and at once, while
   * others read and write. What one way has left obsolete is known to the next; under {@code
   * VALIDATION}, and in a dataset with an index of primary keys also under {@code EAGER}, merges
   * leave it out from now on.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNSUPPORTED} for {@code VALIDATION}
   *     of a dataset without an index of primary keys
   */
  public void setMaintenance(IndexMaintenance maintenance) throws StorageException {
    managed.setMaintenance(maintenance);
  }

  /**
   * Finds out at once which entries of secondary indexes are obsolete, without a merge: each
   * component is read and held against the index of primary keys, as far as it has changed since
   * that was done last, and searches leave out what is obsolete from then on. All indexes are
   * flushed before, and others may write meanwhile; what they leave obsolete may stay. Indexes
   * without stamps, and datasets without an index of primary keys, stay as they are. The engine
   * does the same in the background ({@code repairAfterFlushes}).
   */
  @Override
  public void repairIndexes() throws StorageException {
    for (Partition partition : managed.partitions()) {
      partition.repairIndexes();
    }
  }

  /** Number of partitions. */
  public int partitionCount() {
    return partitions.size();
  }

  /** A partition, for callers that route by themselves. */
  public DatasetPartition partition(int number) {
    return partitions.get(number);
  }

  /** Number of the partition that holds a primary key. */
  public int partitionOf(Key primaryKey) {
    return partitionOf(primaryKey.toSlice());
  }

  /** Number of the node of the cluster that holds an encoded primary key; 0 without a cluster. */
  public int nodeOf(Slice primaryKey) {
    return managed.partitions().get(0).nodeOf(primaryKey);
  }

  private int partitionOf(Slice primaryKey) {
    return managed.partitions().get(0).partitionOf(primaryKey);
  }

  /**
   * Inserts a record.
   *
   * @throws dev.varve.common.error.ConflictException with {@code DUPLICATE_KEY}
   * @throws dev.varve.common.error.RequestException with {@code MALFORMED_RECORD}
   */
  public void insert(byte[] record) throws StorageException {
    Objects.requireNonNull(record, "record");
    sessions.write(
        session -> {
          session.insert(record);
          return WriteOutcome.ABSENT;
        });
  }

  /** Inserts a record or replaces the one with its primary key. */
  public WriteOutcome upsert(byte[] record) throws StorageException {
    Objects.requireNonNull(record, "record");
    return sessions.write(session -> session.upsert(record));
  }

  /** Deletes a record if it is there. */
  public WriteOutcome delete(Key primaryKey) throws StorageException {
    Objects.requireNonNull(primaryKey, "primaryKey");
    return sessions.write(session -> session.delete(primaryKey));
  }

  /**
   * Deletes all records whose primary keys lie in a range, in either direction; a bound stands for
   * every key that begins with it ({@link ValueRange}). One partition follows the other. Those of a
   * partition are deleted at once, however many there are, with their entries in all indexes, as
   * {@link KeyValueStore#deleteRange} does; snapshots of the dataset that are open are given up. A
   * dataset whose components are cut by key range deletes record by record, each as a transaction
   * of its own; then a failure or crash leaves a part of them, and the call may be made again. What
   * others write meanwhile may stay. What sessions of the calling thread have written must be
   * forced.
   *
   * @throws ConflictException with {@code STALLED} or {@code LOCK_TIMEOUT} when a transaction stays
   *     open, for which the calling thread's own is one
   * @throws LimitException when a bound is longer than a key may be, or no merge has met too many
   *     ranges
   */
  @Override
  public void deleteRange(KeyRange primaryKeys) throws StorageException {
    Objects.requireNonNull(primaryKeys, "primaryKeys");
    for (Partition partition : managed.partitions()) {
      partition.deleteRange(primaryKeys);
    }
  }

  /**
   * Changes a record by what it is now, as a transaction of its own: of several that update one
   * record at a time, each is given what the one before it has returned.
   *
   * @param change is given the record, or nothing where there is none, and returns what it becomes,
   *     with the same primary key; nothing deletes it. It is called once, with the record locked,
   *     and should be short. What it throws goes through, and the record stays as it was
   * @return what the function has returned
   * @throws dev.varve.common.error.RequestException with {@code MALFORMED_RECORD}, also for one
   *     with another primary key
   */
  public Optional<byte[]> update(Key primaryKey, UnaryOperator<Optional<byte[]>> change)
      throws StorageException {
    try (RecordTransaction transaction = beginTransaction()) {
      Optional<byte[]> after = transaction.update(primaryKey, change);
      transaction.commit();
      return after;
    }
  }

  /**
   * Changes some fields of a record, as a transaction of its own, by a JSON merge patch (RFC 7396):
   * a field that is null in the patch goes, an object is merged into the one that is there, and any
   * other value, an array included, replaces what is there. Fields that the patch does not name
   * keep their bytes. Nothing happens where there is no record.
   *
   * @param patch a JSON object, which leaves the primary key as it is
   * @return {@code PRESENT} or {@code ABSENT}
   * @throws dev.varve.common.error.RequestException with {@code MALFORMED_RECORD} when the patch is
   *     none, or the record would be none, or have another primary key
   * @throws dev.varve.common.error.LimitException when the patch or the record is over a limit
   */
  public WriteOutcome patch(Key primaryKey, byte[] patch) throws StorageException {
    Objects.requireNonNull(primaryKey, "primaryKey");
    Objects.requireNonNull(patch, "patch");
    return sessions.write(session -> session.patch(primaryKey, patch));
  }

  /** Reads a record. */
  public Optional<byte[]> get(Key primaryKey) throws StorageException {
    return reads.get(primaryKey);
  }

  /**
   * Reads many records, in less time than one {@link #get} after the other would take: each index
   * is gone through once, in the order of its keys. Each record is read as {@link #get} would read
   * it at some moment of the call; together they are no snapshot.
   *
   * @param primaryKeys in any order, each any number of times
   * @return what each of them has, in the same order; all of it is held in memory
   */
  public List<Optional<byte[]>> getAll(List<Key> primaryKeys) throws StorageException {
    return reads.getAll(primaryKeys);
  }

  /** Whether there is a record; with the isolation of {@link #get}. */
  public boolean exists(Key primaryKey) throws StorageException {
    return reads.exists(primaryKey);
  }

  /**
   * Counts the records in a range of primary keys, in either direction: as many as {@link
   * #scan(KeyRange)} would return, with the same isolation. All keys of the range are walked over;
   * no record is handed out.
   */
  public long count(KeyRange primaryKeys) throws StorageException {
    return reads.count(primaryKeys, FilterRange.NONE);
  }

  /**
   * Counts the records whose values in a secondary B+-tree lie in a range; see {@link
   * #countBy(String, IndexSearch)}.
   *
   * @throws IllegalArgumentException when the range is descending
   */
  public long countBy(String index, KeyRange values) throws StorageException {
    return countBy(index, new KeySearch(values));
  }

  /**
   * Counts the records that a search of a secondary index finds, with the isolation of {@link
   * #search(String, IndexSearch)}. No record is returned, and hardly any is read. Where an entry
   * decides by itself (B+-trees, R-trees, searches of {@code keyword} indexes for all, any or some
   * words) one that lies on disk is counted as it stands, since only what is committed gets there.
   * One that a memory component has, or deletes, is validated, while the count goes on, against its
   * record as it was committed last; that waits for the force of a session that has written the
   * record. All other searches validate each record.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNKNOWN_INDEX}, or {@code
   *     UNSUPPORTED} when the index is of a kind that does not answer such a search
   */
  public long countBy(String index, IndexSearch search) throws StorageException {
    return reads.countBy(index, search, FilterRange.NONE);
  }

  /**
   * Counts those of {@link #count(KeyRange)} that a filter wants, as {@link #scan(KeyRange,
   * FilterRange)} does.
   */
  public long count(KeyRange primaryKeys, FilterRange filter) throws StorageException {
    return reads.count(primaryKeys, filter);
  }

  /**
   * Counts those of {@link #countBy(String, IndexSearch)} that a filter wants; each record is read.
   *
   * @throws dev.varve.common.error.RequestException as {@link #search(String, IndexSearch,
   *     FilterRange)} does
   */
  public long countBy(String index, IndexSearch search, FilterRange filter)
      throws StorageException {
    return reads.countBy(index, search, filter);
  }

  /**
   * Adds a secondary index, while others read and write: it is built from the records that there
   * are, and answers when this returns. Writers wait for a moment only, a partition after the
   * other, and from then on pay for the new index, too. If the process ends before this returns,
   * the index is built from the beginning when the engine is opened again, and answers some time
   * after that. A checkpoint that is taken meanwhile has it as one that is to be built. A
   * transaction, session call or bulk load of the caller must not be open.
   *
   * @throws dev.varve.common.error.ConflictException with {@code NAME_EXISTS}; {@code STALLED} when
   *     a transaction or bulk load stays in a partition; {@code ABORTED} when the index, the
   *     dataset or the engine was dropped or closed meanwhile. Then there is no such index
   * @throws dev.varve.common.error.RequestException with {@code MALFORMED_RECORD} when a record has
   *     a value that is too long for it, or {@code UNSUPPORTED} for an index of primary keys
   * @throws IllegalArgumentException for an index that no dataset can have
   */
  public void addIndex(IndexDefinition index) throws StorageException {
    managed.indexes().add(Objects.requireNonNull(index, "index"));
  }

  /**
   * Drops a secondary index, durably, while others read and write. Searches that are open go on,
   * and its files go when they were closed. One that is being built is given up.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNKNOWN_INDEX}, or {@code
   *     UNSUPPORTED} for an index of primary keys
   */
  public void dropIndex(String index) throws StorageException {
    managed.indexes().drop(Objects.requireNonNull(index, "index"));
  }

  @Override
  void doAsAsked(EngineRequest request) throws StorageException {
    switch (request.verb()) {
      case ADD_INDEX -> addIndex(IndexDefinition.parse(request.argument()));
      case DROP_INDEX -> dropIndex(request.argument());
      default -> super.doAsAsked(request);
    }
  }

  /** What another process asks to make. */
  static DatasetOptions requested(EngineRequest request) {
    String[] lines = request.argument().split("\n", -1);
    if (lines.length != 3) {
      throw new IllegalArgumentException("no options of a dataset: " + request.argument());
    }
    List<String> key = List.of(lines[0].split(","));
    List<String> indexes = lines[1].isEmpty() ? List.of() : List.of(lines[1].split(","));
    return DatasetOptions.of(request.store(), key.get(0))
        .withPrimaryKey(key.stream().map(FieldPath::parse).toList())
        .withIndexes(indexes.stream().map(IndexDefinition::parse).toList())
        .withPartitions(Integer.parseInt(lines[2]));
  }

  @Override
  RunningEngine.Taken take(List<byte[]> batch) throws StorageException {
    SortedMap<Integer, RunningEngine.Refusal> refused = new TreeMap<>();
    long replaced = 0;
    try (RecordSession session = openSession()) {
      for (int i = 0; i < batch.size(); i++) {
        try {
          if (session.upsert(batch.get(i)) == WriteOutcome.PRESENT) {
            replaced++;
          }
        } catch (RequestException | LimitException itsFault) {
          refused.put(i, RunningEngine.Refusal.of(itsFault));
        }
      }
      session.force();
    }
    assert replaced + refused.size() <= batch.size();
    return new RunningEngine.Taken(replaced, refused);
  }

  /** Opens a session over all partitions, at the engine's level of durability. */
  @MustBeClosed
  public RecordSession openSession() throws StorageException {
    return openSession(managed.partitions().get(0).durability());
  }

  /** Opens a session whose acknowledgements promise this level of durability. */
  @MustBeClosed
  public RecordSession openSession(Durability durability) throws StorageException {
    return new RecordSession(managed.partitions(), durability);
  }

  /** Begins a transaction over several records, of whatever partitions; its reads lock. */
  @MustBeClosed
  public RecordTransaction beginTransaction() throws StorageException {
    return beginTransaction(Isolation.LOCKED_READS);
  }

  /** Begins a transaction over several records, of whatever partitions. */
  @MustBeClosed
  public RecordTransaction beginTransaction(Isolation isolation) throws StorageException {
    return new RecordTransaction(
        NodeTransaction.in(managed.partitions(), isolation), managed.partitions());
  }

  /**
   * Starts loading the dataset, which must be empty; others' writes to it wait.
   *
   * @throws dev.varve.common.error.ConflictException with {@code NOT_EMPTY}
   */
  @MustBeClosed
  public RecordLoader bulkLoad() throws StorageException {
    return new RecordLoader(managed.partitions());
  }

  /**
   * Starts loading the dataset, which must be empty, from records in any order; others' writes to
   * it wait.
   *
   * @param sortBytes memory for sorting; what is more goes to temporary files
   * @throws dev.varve.common.error.ConflictException with {@code NOT_EMPTY}
   */
  @MustBeClosed
  public SortingLoader bulkLoadUnsorted(long sortBytes) throws StorageException {
    return new SortingLoader(managed, sortBytes);
  }

  /**
   * Scans all partitions, merged in the order of primary keys, ascending or descending. A bound
   * stands for every key that begins with it; see {@link ValueRange}.
   */
  @MustBeClosed
  public RecordCursor scan(KeyRange primaryKeys) throws StorageException {
    return scan(primaryKeys, FilterRange.NONE);
  }

  /**
   * Scans those records that a filter wants; components that have none of them are not read.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNSUPPORTED} when the dataset has
   *     no {@linkplain DatasetOptions#filterField filter field}
   */
  @MustBeClosed
  public RecordCursor scan(KeyRange primaryKeys, FilterRange filter) throws StorageException {
    return reads.scan(primaryKeys, filter);
  }

  /**
   * Reads records in the order of their primary keys or of a secondary B+-tree, in either
   * direction: so many, so much of each, and from where another such cursor was. Isolation is that
   * of {@link #scan(KeyRange)}, and by an index that of {@link
   * dev.varve.dataset.model.OrderedSearch}.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNKNOWN_INDEX}; {@code UNSUPPORTED}
   *     when the index is of another kind, or the dataset has no filter field; {@code
   *     INVALID_TOKEN} when the query's token is damaged, or of another query
   */
  @MustBeClosed
  public ResultCursor query(RecordQuery query) throws StorageException {
    return reads.query(query);
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
   * all of them at once, with a {@link RankedCursor}, and so one in the order of the index.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNKNOWN_INDEX}, or {@code
   *     UNSUPPORTED} when the index is of a kind that does not answer such a search
   */
  @MustBeClosed
  public RecordCursor search(String index, IndexSearch search) throws StorageException {
    return search(index, search, FilterRange.NONE);
  }

  /**
   * Searches for those records that a filter wants; components of the index that have none of them
   * are not read.
   *
   * @throws dev.varve.common.error.RequestException as {@link #search(String, IndexSearch)} does,
   *     and with {@code UNSUPPORTED} when the dataset has no {@linkplain DatasetOptions#filterField
   *     filter field}
   */
  @MustBeClosed
  public RecordCursor search(String index, IndexSearch search, FilterRange filter)
      throws StorageException {
    return reads.search(index, search, filter);
  }

  /**
   * The primary keys of the records that {@link #search(String, IndexSearch)} finds, with the same
   * isolation, without the records: which of them are read nevertheless, and when, is what {@link
   * #countBy(String, IndexSearch)} says. Each key comes once; in the order of the search where it
   * has one, such as that of distances, else in none.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNKNOWN_INDEX}, or {@code
   *     UNSUPPORTED} when the index is of a kind that does not answer such a search
   */
  @MustBeClosed
  public KeyCursor searchKeys(String index, IndexSearch search) throws StorageException {
    return searchKeys(index, search, FilterRange.NONE);
  }

  /**
   * The primary keys of those records that a filter wants; each record is read.
   *
   * @throws dev.varve.common.error.RequestException as {@link #search(String, IndexSearch,
   *     FilterRange)} does
   */
  @MustBeClosed
  public KeyCursor searchKeys(String index, IndexSearch search, FilterRange filter)
      throws StorageException {
    return reads.searchKeys(index, search, filter);
  }

  /**
   * The primary keys of the records whose values in a secondary B+-tree lie in a range; see {@link
   * #searchKeys(String, IndexSearch)}.
   *
   * @throws IllegalArgumentException when the range is descending
   */
  @MustBeClosed
  public KeyCursor searchKeys(String index, KeyRange values) throws StorageException {
    return searchKeys(index, new KeySearch(values));
  }

  /**
   * Checks that it has these options, where they are not of performance only.
   *
   * @throws ConflictException with {@code OPTIONS_MISMATCH}
   */
  void requireMadeWith(DatasetOptions wanted) throws ConflictException {
    DatasetOptions there = options();
    List<String> problems = new ArrayList<>();
    compare(problems, "primaryKey", there.primaryKey(), wanted.primaryKey());
    compare(problems, "indexes", there.indexes(), wanted.indexes());
    compare(problems, "filterField", there.filterField(), wanted.filterField());
    compare(problems, "timeToLive", there.timeToLive(), wanted.timeToLive());
    compare(problems, "partitions", there.partitions(), wanted.partitions());
    if (!problems.isEmpty()) {
      throw new ConflictException(
          ConflictException.Reason.OPTIONS_MISMATCH,
          "dataset '" + name() + "' has other options: " + String.join("; ", problems));
    }
  }

  private static void compare(List<String> problems, String name, Object there, Object wanted) {
    if (!there.equals(wanted)) {
      problems.add(name + " is " + there + ", not " + wanted);
    }
  }
}
