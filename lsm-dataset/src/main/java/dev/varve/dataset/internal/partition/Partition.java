package dev.varve.dataset.internal.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.Origin;
import dev.varve.dataset.internal.partition.StoredForm.Sight;
import dev.varve.dataset.internal.value.LargeValues;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.KeyCursor;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.dataset.model.OrderedCursor;
import dev.varve.dataset.model.OrderedSearch;
import dev.varve.dataset.model.PartitionStats;
import dev.varve.dataset.model.RankedCursor;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.ValueRange;
import dev.varve.transaction.log.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One partition of a dataset, or the one of a key-value store: a primary index and its secondaries,
 * which agree at every moment that a reader can see. Thread-safe.
 *
 * <p>Isolation: what a read returns was committed, and durable to its writer's level, when it was
 * returned. A point read is linearizable. A scan or secondary search sees each record as of some
 * moment between its opening and its end; it is no snapshot of the whole. A read does not wait for
 * a transaction, and sees what was committed before it. It waits for the force of a session that
 * has written the record, so a thread must not read through the partition what its own session has
 * changed and not yet forced; the session's own {@code get} may.
 */
public final class Partition {
  /** Keys that are looked up together: what they have stays in the processor's caches. */
  private static final int KEYS_A_SWEEP = 1024;

  private final PartitionLifecycle lifecycle;
  private final ReadView view;

  /**
   * Whether what is committed is read, as nearly always, and the newest entry of a key is all that
   * there is of it.
   */
  private final boolean optimistic;

  private final RecordLookup lookup;
  private final StoredForm form;

  /** Whether all that is stored is what was put, but for references. */
  private final boolean asPut;

  /** Null for one without large values, and for what is only read. */
  private final @Nullable ValueReclaim reclaim;

  /** The side of a partition that callers see. */
  public Partition(PartitionLifecycle lifecycle) {
    this(lifecycle, ReadView.COMMITTED, ValueReclaim.of(lifecycle));
    Expiry expiry = form.expiry();
    if (expiry != null) {
      ExpiredRecords.Deletion deletion = this::deleteEnded;
      expiry.deleteBy(key -> lifecycle.node().expired().found(deletion, key));
    }
  }

  private Partition(PartitionLifecycle lifecycle, ReadView view, @Nullable ValueReclaim reclaim) {
    this.lifecycle = lifecycle;
    this.reclaim = reclaim;
    this.view = view;
    this.optimistic =
        view.equals(ReadView.COMMITTED)
            && lifecycle.descriptor().dataset().kind().operator() == null;
    this.form = lifecycle.form;
    this.asPut = form.expiry() == null;
    this.lookup = new RecordLookup(lifecycle, view);
  }

  /** The same partition as another reader sees it. */
  public Partition seenAs(ReadView other) {
    return new Partition(lifecycle, other, null);
  }

  /** The engine's side of it. */
  public PartitionLifecycle lifecycle() {
    return lifecycle;
  }

  /** Number of the partition of its dataset that a primary key belongs to. */
  public int partitionOf(Slice primaryKey) {
    return lifecycle.keys().partitionOf(primaryKey);
  }

  /** Number of the node that a primary key belongs to. */
  public int nodeOf(Slice primaryKey) {
    return lifecycle.keys().nodeOf(primaryKey);
  }

  /** What an acknowledged write survives, unless a session says otherwise. */
  public Durability durability() {
    return lifecycle.node().durability();
  }

  /** The writer of a session whose acknowledgements promise this level of durability. */
  public SessionWriter newSession(Durability durability) throws StorageException {
    lifecycle.markUsed();
    lifecycle.node().health().requireWritable();
    return new SessionWriter(lifecycle, durability);
  }

  /**
   * Reads a record as it was committed last; waits for the force of a session that has written it.
   *
   * @param found filled with copies of key and record when the result is true
   * @throws RequestException with {@code WRONG_PARTITION} when there is none here because the key
   *     belongs to another partition or node
   */
  public boolean get(Slice key, Entry found) throws StorageException {
    long hash = KeyHash.hash(key);
    long retractionsBefore = lifecycle.retractions();
    LsmIndex<KeyRange> primary = lifecycle.optimisticPrimary();
    if (primary == null || !optimistic) {
      return getEntered(key, found);
    }
    Origin origin = primary.findOptimistically(key, hash, found);
    if (origin == null) {
      return getFromDisk(key, hash, found);
    }
    // What lies on disk is committed (no-steal).
    if (origin == Origin.MEMORY && !lifecycle.isCommitted(hash, retractionsBefore, null)) {
      return getEntered(key, found);
    }
    if (origin == Origin.NOWHERE || found.antimatter()) {
      return absent(key);
    }
    // Nearly always, and told by a look at no more than this.
    return (asPut && found.value().length() != LargeValues.REFERENCE_BYTES) || show(key, found);
  }

  /** Shows what is committed, if its life has not ended. */
  private boolean show(Slice key, Entry found) throws StorageException {
    if (form.isPlain(found)) {
      return true;
    }
    Sight sight = form.show(found, form.now());
    if (sight == Sight.REPLACED) {
      return getEntered(key, found);
    }
    return sight == Sight.SHOWN || absent(key);
  }

  /** Reads a record that an optimistic read did not find in memory, with its pages pinned. */
  private boolean getFromDisk(Slice key, long hash, Entry found) throws StorageException {
    lifecycle.markUsed();
    PartitionIndexes indexes = lifecycle.enterRead();
    try {
      Origin origin = indexes.primary().findBelowMemory(key, hash, found);
      boolean there = origin != Origin.NOWHERE && !found.antimatter();
      return there ? show(key, found) : absent(key);
    } finally {
      lifecycle.users().leaveRead();
    }
  }

  /** Reads a record from the beginning, inside of the partition, where waiting is allowed. */
  private boolean getEntered(Slice key, Entry found) throws StorageException {
    lifecycle.markUsed();
    PartitionIndexes indexes = lifecycle.enterRead();
    try {
      return lookup.find(indexes.primary(), key, found) || absent(key);
    } finally {
      lifecycle.users().leaveRead();
    }
  }

  /** Takes what is found of the records that were asked for. */
  @FunctionalInterface
  public interface RecordSink {
    /**
     * Takes a record.
     *
     * @param key which of the keys it has
     * @param record its bytes, which hold during the call
     */
    void take(int key, Slice record) throws StorageException;
  }

  /**
   * Reads many records, each as {@link #get} reads it and at some moment of this call, in one sweep
   * over the components for up to {@value #KEYS_A_SWEEP} keys.
   *
   * @param keys in any order, and more than those that are read
   * @param order the positions among them of those that are, ascending by key; of equal keys all
   *     are read
   * @throws RequestException as {@link #get} does
   */
  public void getAll(Slice[] keys, int[] order, RecordSink sink) throws StorageException {
    lifecycle.markUsed();
    PartitionIndexes indexes = lifecycle.enterRead();
    try {
      RecordLookup.Batch batch = lookup.newBatch();
      int end;
      for (int begin = 0; begin < order.length; begin = end) {
        end = Math.min(order.length, begin + KEYS_A_SWEEP);
        batch.clear();
        for (int i = begin; i < end; i++) {
          if (i == begin || !keys[order[i]].sameBytes(keys[order[i - 1]])) {
            batch.add(keys[order[i]]);
          }
        }
        Entry found = new Entry();
        boolean there = false;
        for (int i = begin; i < end; i++) {
          if (i == begin || !keys[order[i]].sameBytes(keys[order[i - 1]])) {
            there = batch.next(indexes.primary(), found) || absent(keys[order[i]]);
          }
          if (there) {
            sink.take(order[i], found.value());
          }
        }
      }
    } finally {
      lifecycle.users().leaveRead();
    }
  }

  /** False: there is no record, and this is where it would be. Only a miss costs the check. */
  private boolean absent(Slice key) throws RequestException {
    lifecycle.keys().requireOwn(key);
    return false;
  }

  /**
   * Scans records in the order of their encoded primary keys. The keys of a dataset are values, so
   * a bound stands for every key that begins with it; see {@link ValueRange}.
   */
  @MustBeClosed
  public RecordCursor scan(KeyRange keys) throws StorageException {
    return scan(keys, FilterRange.NONE);
  }

  /**
   * Scans those records that a filter wants.
   *
   * @throws RequestException with {@code UNSUPPORTED} when the dataset has no filter field
   */
  @MustBeClosed
  public RecordCursor scan(KeyRange keys, FilterRange filter) throws StorageException {
    return scan(PartitionIndexes::primary, keys, filter, form);
  }

  @MustBeClosed
  private PrimaryCursor scan(
      Function<PartitionIndexes, LsmIndex<KeyRange>> scanned,
      KeyRange keys,
      FilterRange filter,
      StoredForm as)
      throws StorageException {
    requireFilterField(filter);
    KeyRange range = lifecycle.schema() == null ? keys : ValueRange.ofValues(keys);
    lifecycle.markUsed();
    PartitionIndexes indexes = lifecycle.enterRead();
    try {
      return new PrimaryCursor(lifecycle, scanned.apply(indexes), range, filter, view, as);
    } catch (StorageException | RuntimeException | Error e) {
      lifecycle.users().leaveRead();
      throw e;
    }
  }

  /**
   * Searches a secondary index: candidates are collected, sorted by primary key, looked up in the
   * primary index and validated. Records come in primary-key order, batch after batch; those of a
   * search for the nearest, with a {@link RankedCursor}, nearest first; those of an {@link
   * OrderedSearch}, with an {@link OrderedCursor}, in its order.
   *
   * @throws RequestException with {@code UNKNOWN_INDEX}, or {@code UNSUPPORTED} when the index is
   *     of a kind that does not answer such a search
   */
  @MustBeClosed
  public RecordCursor search(String index, IndexSearch search) throws StorageException {
    return search(index, search, FilterRange.NONE);
  }

  /**
   * Searches for those records that a filter wants.
   *
   * @throws RequestException as {@link #search(String, IndexSearch)} does, and with {@code
   *     UNSUPPORTED} when the dataset has no filter field
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with the cursor
  public RecordCursor search(String index, IndexSearch search, FilterRange filter)
      throws StorageException {
    return opened(
        filter,
        indexes -> new SecondarySearch(indexes.secondaryOf(index), search, filter, view),
        (indexes, asked) ->
            isOrdered(asked.search())
                ? ordered(indexes, asked)
                : new SecondaryCursor(new SecondaryMatches(lifecycle, indexes, asked)));
  }

  /**
   * Searches a secondary index as {@link #search(String, IndexSearch)} does, for primary keys only.
   * Records are read where an entry has to be validated: those whose entries are in memory, as of
   * transactions that may not have committed, and all where the kind's entries do not decide the
   * search. Nearest and ordered records come in their order, and each is read.
   *
   * @throws RequestException as {@link #search(String, IndexSearch)} does
   */
  @MustBeClosed
  public KeyCursor searchKeys(String index, IndexSearch search) throws StorageException {
    return searchKeys(index, search, FilterRange.NONE);
  }

  /**
   * Searches for the keys of those records that a filter wants, each of which is read.
   *
   * @throws RequestException as {@link #search(String, IndexSearch, FilterRange)} does
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with the cursor
  public KeyCursor searchKeys(String index, IndexSearch search, FilterRange filter)
      throws StorageException {
    return opened(
        filter,
        indexes -> new SecondarySearch(indexes.secondaryOf(index), search, filter, view),
        (indexes, asked) ->
            isOrdered(asked.search())
                ? ordered(indexes, asked)
                : new SecondaryKeys(new SecondaryMatches(lifecycle, indexes, asked)));
  }

  /** Whether records come in an order of the search, for which each of them is read. */
  private static boolean isOrdered(IndexSearch search) {
    return search instanceof NearestSearch || search instanceof OrderedSearch;
  }

  @MustBeClosed
  private RecordCursor ordered(PartitionIndexes indexes, SecondarySearch asked)
      throws StorageException {
    return asked.search() instanceof NearestSearch
        ? new NearestRecords(lifecycle, indexes, asked)
        : new OrderedMatches(lifecycle, indexes, asked);
  }

  private void requireFilterField(FilterRange filter) throws RequestException {
    if (filter.restricts() && lifecycle.descriptor().options().filterField().isEmpty()) {
      throw new RequestException(
          RequestException.Reason.UNSUPPORTED,
          "'"
              + lifecycle.descriptor().options().name()
              + "' is not filtered by a field; it is said when a dataset is created by which one");
    }
  }

  /**
   * Number in the log of an index, which no other ever has.
   *
   * @param secondary its name; empty for the primary
   * @throws RequestException with {@code UNKNOWN_INDEX}
   */
  public int indexNumber(Optional<String> secondary) throws StorageException {
    PartitionIndexes indexes = lifecycle.enterRead();
    try {
      return indexes.numberOf(secondary);
    } finally {
      lifecycle.users().leaveRead();
    }
  }

  /** Opens a cursor in a partition that was entered. */
  @FunctionalInterface
  private interface SecondaryOpener<C> {
    C open(PartitionIndexes indexes, SecondarySearch asked) throws StorageException;
  }

  /** Says what is asked of the indexes that there are. */
  @FunctionalInterface
  private interface SecondaryQuestion {
    SecondarySearch of(PartitionIndexes indexes) throws RequestException;
  }

  private <C> C opened(FilterRange filter, SecondaryQuestion question, SecondaryOpener<C> opener)
      throws StorageException {
    requireFilterField(filter);
    lifecycle.markUsed();
    PartitionIndexes indexes = lifecycle.enterRead();
    try {
      return opener.open(indexes, question.of(indexes));
    } catch (StorageException | RuntimeException | Error e) {
      lifecycle.users().leaveRead();
      throw e;
    }
  }

  /**
   * Whether there is a record, as {@link #get} finds it; throws what that throws.
   *
   * @param key its primary key
   */
  public boolean exists(Slice key) throws StorageException {
    Entry found = new Entry();
    boolean byKey = lifecycle.descriptor().options().hasPrimaryKeyIndex() && asPut;
    if (!byKey && form.large() == null) {
      return get(key, found);
    }
    lifecycle.markUsed();
    PartitionIndexes indexes = lifecycle.enterRead();
    try {
      // Where nothing but the key is looked at, no large value is read.
      LsmIndex<KeyRange> asked = byKey ? indexes.keys() : indexes.primary();
      return new RecordLookup(lifecycle, view, form.ofKeys()).find(asked, key, found)
          || absent(key);
    } finally {
      lifecycle.users().leaveRead();
    }
  }

  /**
   * Deletes what lies in a range: all at once, or, of a dataset whose components are cut by key
   * range, record by record, in batches, each record as a transaction of its own.
   *
   * @throws ConflictException with {@code STALLED} when somebody goes on writing
   */
  public void deleteRange(KeyRange keys) throws StorageException {
    KeyRange range = lifecycle.schema() == null ? keys : ValueRange.ofValues(keys);
    if (!RangeDeleter.delete(lifecycle, range)) {
      KeyRange left = keys.ascending();
      while (left != null) {
        left = deleteFirst(left);
      }
    }
  }

  /** Deletes the first records of a range; returns what is left of it, null at its end. */
  private @Nullable KeyRange deleteFirst(KeyRange keys) throws StorageException {
    List<Slice> first = new ArrayList<>(KEYS_A_SWEEP);
    try (RecordCursor there =
        scan(scannedForKeys(FilterRange.NONE), keys, FilterRange.NONE, form.ofKeys())) {
      while (first.size() < KEYS_A_SWEEP && there.next()) {
        first.add(new Slice(there.key().toByteArray()));
      }
    }
    try (SessionWriter session = newSession(durability())) {
      for (Slice key : first) {
        session.delete(key);
      }
    }
    return first.size() < KEYS_A_SWEEP
        ? null
        : KeyRange.between(KeyBound.exclusive(first.get(first.size() - 1)), keys.high());
  }

  /** Counts what {@link #scan(KeyRange)} would return. */
  public long count(KeyRange keys) throws StorageException {
    return count(keys, FilterRange.NONE);
  }

  /** Counts what {@link #scan(KeyRange, FilterRange)} would return. */
  public long count(KeyRange keys, FilterRange filter) throws StorageException {
    try (RecordCursor cursor = scan(scannedForKeys(filter), keys, filter, form.ofKeys())) {
      return KeyCursor.count(cursor);
    }
  }

  /** Only records say by which value they are filtered, and when they end. */
  private Function<PartitionIndexes, LsmIndex<KeyRange>> scannedForKeys(FilterRange filter) {
    return filter.restricts() || form.expiry() != null
        ? PartitionIndexes::primary
        : PartitionIndexes::keys;
  }

  /** Counts what {@link #searchKeys(String, IndexSearch)} would return. */
  public long countBy(String index, IndexSearch search) throws StorageException {
    return countBy(index, search, FilterRange.NONE);
  }

  /** Counts what {@link #searchKeys(String, IndexSearch, FilterRange)} would return. */
  public long countBy(String index, IndexSearch search, FilterRange filter)
      throws StorageException {
    try (KeyCursor cursor = searchKeys(index, search, filter)) {
      return KeyCursor.count(cursor);
    }
  }

  /**
   * Starts loading this partition, which must be empty; others' writes to it wait.
   *
   * @throws ConflictException with {@code NOT_EMPTY}
   */
  @SuppressWarnings("MustBeClosedChecker") // ended by the loader
  public BulkLoader newLoader() throws StorageException {
    lifecycle.node().health().requireWritable();
    return new BulkLoader(lifecycle, new WriterPause(lifecycle).indexes());
  }

  /** Deletes, of some records, those at the end of their life that nobody else is changing. */
  private void deleteEnded(List<Slice> keys) throws StorageException {
    try (SessionWriter session = new SessionWriter(lifecycle, Durability.NONE)) {
      for (Slice key : keys) {
        session.deleteExpired(key);
      }
    }
  }

  /** Flushes all indexes and waits. */
  public void flush() throws StorageException {
    lifecycle.node().health().requireWritable();
    PartitionIndexes indexes = lifecycle.enterRead();
    try {
      indexes.flush();
    } finally {
      lifecycle.users().leaveRead();
    }
  }

  /** Gives back the space of large values that nobody can read; null where there are none. */
  public @Nullable ValueReclaim reclaim() {
    return reclaim;
  }

  /** Has no file of large values change from now on. */
  public void sealValues() {
    LargeValues large = form.large();
    if (large != null) {
      large.seal();
    }
  }

  /**
   * Makes durable what sessions of the level {@code POWER_LOSS} did: where the engine does not log
   * it, only a flush does.
   */
  public void flushUnlogged() throws StorageException {
    if (durability() == Durability.NONE) {
      flush();
    }
  }

  /** Flushes all indexes and merges each into one component, and waits. */
  public void compact() throws StorageException {
    lifecycle.node().health().requireWritable();
    PartitionIndexes indexes = lifecycle.enterRead();
    try {
      indexes.flush();
      for (LsmIndex<?> index : indexes.all()) {
        index.compact();
      }
      // A single component is not merged, and may be behind.
      indexes.repair();
    } finally {
      lifecycle.users().leaveRead();
    }
    if (reclaim != null) {
      reclaim.run();
    }
  }

  /** Flushes all indexes, finds out what is obsolete in secondary ones, and waits. */
  public void repairIndexes() throws StorageException {
    lifecycle.node().health().requireWritable();
    PartitionIndexes indexes = lifecycle.enterRead();
    try {
      indexes.repair();
    } finally {
      lifecycle.users().leaveRead();
    }
  }

  /** What its indexes hold. */
  public PartitionStats stats() throws StorageException {
    PartitionIndexes indexes = lifecycle.enterRead();
    try {
      return indexes.stats();
    } finally {
      lifecycle.users().leaveRead();
    }
  }

  /**
   * Checks every rule of its files, and that each secondary index is the projection of the primary.
   * Writers wait meanwhile; a transaction or session of the caller must not be open.
   */
  public PartitionCheck verify() throws StorageException {
    try (WriterPause pause = new WriterPause(lifecycle)) {
      return new PartitionVerifier(lifecycle, pause.indexes()).verify();
    }
  }
}
