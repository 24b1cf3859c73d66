package dev.varve.dataset.internal.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.LsmCursor;
import dev.varve.common.index.Origin;
import dev.varve.dataset.kind.IndexKind;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.options.IndexUpkeep;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The records that a search of a secondary index finds: candidates of a batch are collected, sorted
 * by primary key, looked up, and kept if the record's entry is still one that is searched for
 * (Storage Management in AsterixDB, sections 3.5 and 4.1). No lock is taken in the secondary index:
 * validation makes up for it. An antimatter entry in memory is a candidate too, because the
 * transaction that put it there may not be committed. Confined to one thread.
 *
 * <p>Implementation note. A record that changes while it is searched for may have its old entry
 * among the candidates, its new one, or both, in one batch or in several. Its entry of now decides,
 * so it is found if it matches all the time. In a batch all candidates of a record are next to each
 * other; what earlier batches found is remembered, so that no record is found twice. Where only
 * keys are asked for, those that are certain when they are gathered come first, as they come, and
 * their records' other candidates are left out: nothing is sorted but what needs a look.
 *
 * <p>Records are looked up together, in the order of their keys ({@link RecordLookup.Batch}), and
 * ahead of the caller: a search sees each as of some moment between its opening and its end.
 *
 * <p>Where only keys are asked for, a candidate needs no validation when its newest state lies on
 * disk and the search is {@linkplain IndexKind#isExact exact}. What lies on disk is committed
 * (no-steal), and a change of the record would have put antimatter or a deleted key for the entry
 * into memory before its commit. So the record had the entry, committed, when the state was read.
 * That holds only while no entry may be obsolete: from before the search was opened until it was.
 * Where some may be, a candidate with a {@linkplain Stamp stamp} needs no validation either, if the
 * newest state of its key lies on disk in the index of primary keys, and was there before the
 * search was opened: who changed the key had put all that the change puts by then, so that by the
 * stamps the entry is right or obsolete.
 *
 * <p>A reader as of a moment adds that no version of the record is saved for the moment after the
 * state was read: then the record is now as it was at the moment.
 *
 * <p>The one exception beside that is a bulk load, which publishes secondary indexes before the
 * primary and may fail in between: nothing is certain while the primary has nothing on disk.
 *
 * <p>Where records are asked for, the record of such a candidate is read, but not taken apart, when
 * its newest state lies on disk, too, in an index that has had no flush since before the search was
 * opened. A change since then would be in memory. So the record is the one that had the entry.
 */
final class SecondaryMatches implements AutoCloseable {
  /** Most candidates of a batch. */
  private static final int BATCH_CANDIDATES = 1 << 16;

  /** Most bytes of the candidates of a batch. */
  private static final long BATCH_BYTES = 8 << 20;

  /** Records that are looked up together: at first, and once a search goes on. */
  private static final int FEWEST_AHEAD = 8;

  private static final int MOST_AHEAD = 512;

  /** What the caller asks for. */
  private enum Wish {
    RECORDS,
    KEYS
  }

  private final PartitionLifecycle lifecycle;
  private final PartitionIndexes indexes;
  private final int secondary;

  /** Records of candidates up to {@link #lookedUpTo}; made for the first that needs a look. */
  private RecordLookup.@Nullable Batch ahead;

  /** Newest flush of the primary index before the search was opened. */
  private final long flushBefore;

  /** Made for the first candidate: most of what a search without results would cost. */
  private @Nullable RecordEntries current;

  private final SecondaryIndex.EntryKeys entryKeys;
  private final LsmCursor states;
  private final IndexKind.Wanted wanted;
  private final FilterRange filter;

  private final ReadView view;

  /** Null for a reader of what is committed. */
  private final @Nullable NewlySaved newlySaved;

  /** Whether an entry that stands is wanted, whatever else its record has. */
  private final boolean exact;

  /** Tells which entries stand where some may be obsolete; null where records have to tell. */
  private final @Nullable KeyStamps stamps;

  /** Newest flush of the index of primary keys before the search was opened. */
  private final long keyFlushBefore;

  /** Whether the primary had something on disk when the first certain candidate came. */
  private @Nullable Boolean loaded;

  private final Candidates batch = new Candidates();

  /**
   * Where only keys are asked for, those of all batches that are certain when they are gathered.
   */
  private final KeyList certainKeys = new KeyList();

  /** Where the batch's begin. */
  private int certainFrom;

  private int certainPosition;

  /** What batches before this one found, but for certain keys. */
  private @Nullable FoundKeys foundBefore;

  /**
   * Certain keys of batches before this one; made when a candidate has to be compared with them.
   */
  private @Nullable FoundKeys certainBefore;

  /** The record that was read last; made for the first. */
  private @Nullable Entry found;

  private final Slice key = new Slice();
  private final OpenHandles.Handle handle;
  private int position;
  private int lookedUpTo;
  private int recordsAhead = FEWEST_AHEAD;
  private boolean atMatch;
  private boolean ended;
  private boolean closed;

  /** A search in a partition that the caller has entered as a reader, and that this leaves. */
  @MustBeClosed
  @SuppressWarnings({
    "MustBeClosedChecker", // closed with this search
    "ReferenceEquality" // the same object says that nothing has changed meanwhile
  })
  SecondaryMatches(PartitionLifecycle lifecycle, PartitionIndexes indexes, SecondarySearch search)
      throws StorageException {
    this.lifecycle = lifecycle;
    this.indexes = indexes;
    this.secondary = search.secondary();
    this.filter = search.filter();
    this.view = search.view();
    this.newlySaved = view.moment() == null ? null : new NewlySaved(lifecycle.saved(), view);
    this.flushBefore = indexes.primary().state().newestFlush();
    this.keyFlushBefore = indexes.keys().state().newestFlush();
    SecondaryIndex<?> index = indexes.secondary(secondary);
    this.entryKeys = index.newEntryKeys();
    IndexUpkeep before = lifecycle.upkeep();
    long checkedTo = index.lsm().state().checkedTo();
    SecondaryIndex.Candidates candidates = index.search(search.search(), filter);
    this.states = candidates.states();
    this.wanted = candidates.wanted();
    // An entry does not say by which value its record is filtered, nor when that ends.
    boolean decisive = candidates.exact() && !filter.restricts() && lifecycle.form.expiry() == null;
    boolean clean = !before.mayHoldObsolete() || !index.keepsObsolete();
    this.exact = decisive && clean && lifecycle.upkeep() == before;
    this.stamps =
        decisive && !exact && index.stamped()
            ? new KeyStamps(indexes.keys()::findAll, checkedTo)
            : null;
    this.handle = lifecycle.handles().opened(OpenHandles.Kind.CURSOR);
  }

  /**
   * Moves to the next record and reads it; false at the end.
   *
   * @throws IllegalStateException when the search or the engine was closed
   */
  boolean nextRecord() throws StorageException {
    requireOpen();
    do {
      while (position < batch.size()) {
        if (nextOfBatch() && valid(Wish.RECORDS)) {
          return matched();
        }
      }
    } while (fillBatch(Wish.RECORDS));
    view.requireOpen();
    return false;
  }

  /** Moves to the next record and reads it only if it has to; see {@link #nextRecord}. */
  boolean nextKey() throws StorageException {
    requireOpen();
    do {
      if (nextCertain()) {
        return true;
      }
      while (position < batch.size()) {
        if (nextOfBatch() && (isSpared(position - 1, Wish.KEYS) || valid(Wish.KEYS))) {
          return matched();
        }
      }
    } while (fillBatch(Wish.KEYS));
    view.requireOpen();
    return false;
  }

  private void requireOpen() {
    lifecycle.node().health().requireOpen();
    if (closed) {
      throw RecordCursor.atNoRecord();
    }
    atMatch = false;
  }

  /** Moves to the next candidate and views its key; whether no batch before found its record. */
  private boolean nextOfBatch() {
    return !isFoundBefore(batch.key(position++, key));
  }

  private boolean isFoundBefore(Slice candidate) {
    return (foundBefore != null && foundBefore.contains(candidate))
        || (certainBefore != null && certainBefore.contains(candidate));
  }

  /**
   * Moves to the next key that is certain and that no batch before found, and views it. Those
   * batches' certain keys are others (see {@link #leaveOutCertain}).
   */
  private boolean nextCertain() {
    while (certainPosition < certainKeys.end()) {
      certainPosition = KeyList.behind(certainKeys.view(certainPosition, key));
      if (foundBefore == null || !foundBefore.contains(key)) {
        atMatch = true;
        return true;
      }
    }
    return false;
  }

  private boolean fillBatch(Wish wish) throws StorageException {
    do {
      if (!collect(wish)) {
        return false;
      }
      if (stamps != null) {
        judge(stamps);
      }
      Snapshots.Moment moment = view.moment();
      if (moment != null && (exact || stamps != null)) {
        doubtChanged(moment);
      }
      if (batch.size() > 0) {
        leaveOutCertain();
      }
      batch.sort();
    } while (isEmpty());
    return true;
  }

  private boolean isEmpty() {
    return batch.size() == 0 && certainKeys.end() == certainFrom;
  }

  /**
   * Leaves out the candidates whose records are certain to be found. No two certain keys are the
   * same, since nothing obsolete stands on disk: a record has one entry there, or is told once for
   * all that it has.
   *
   * <p>Most searches have no other candidates, or few: so those of the batch are a set that its
   * certain keys are looked up in, and batches' before are made one only when it is needed.
   */
  private void leaveOutCertain() {
    if (certainFrom > 0) {
      FoundKeys before = certainBefore == null ? new FoundKeys(certainKeys) : certainBefore;
      certainBefore = before;
      before.include(certainFrom);
    }
    if (certainKeys.end() == certainFrom) {
      return;
    }
    FoundKeys uncertain = new FoundKeys();
    for (int i = 0; i < batch.size(); i++) {
      uncertain.add(batch.key(i, key));
    }
    FoundKeys repeated = new FoundKeys();
    for (int place = certainFrom; place < certainKeys.end(); place = KeyList.behind(key)) {
      if (uncertain.contains(certainKeys.view(place, key))) {
        repeated.add(key);
      }
    }
    batch.removeIf(candidate -> repeated.contains(batch.key(candidate, key)));
  }

  /** Leaves out what is obsolete, and finds what is certain. */
  private void judge(KeyStamps by) throws StorageException {
    batch.sort();
    BitSet obsolete = new BitSet();
    by.look(
        batch.size(),
        batch,
        (candidate, stamp) -> obsolete.set(candidate, batch.judge(candidate, stamp)));
    if (indexes.keys().state().newestFlush() == keyFlushBefore) {
      batch.removeIf(obsolete::get);
    } else {
      // Some of the stamps may be younger than the search, and none is told from the others.
      for (int i = 0; i < batch.size(); i++) {
        batch.doubt(i);
      }
    }
  }

  /**
   * Finds which records may have changed since the moment. One of which no version is saved after
   * its entry was read has not: a version is saved before the record changes.
   */
  private void doubtChanged(Snapshots.Moment moment) throws StorageException {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.isCertain(i) && lifecycle.saved().of(batch.key(i, key), moment) != null) {
        batch.doubt(i);
      }
    }
    moment.requireOpen();
  }

  /** Gathers the next batch of candidates; false when there are none. */
  private boolean collect(Wish wish) throws StorageException {
    boolean more = !ended && states.next();
    boolean last = !more && !ended;
    ended = !more;
    if (more || (last && view.moment() != null)) {
      rememberFound();
    }
    batch.clear();
    position = 0;
    certainFrom = certainKeys.end();
    certainPosition = certainFrom;
    lookedUpTo = 0;
    boolean spared = wish == Wish.KEYS && exact && view.moment() == null && isLoaded();
    int count = 0;
    long bytes = 0;
    for (; more; more = count < BATCH_CANDIDATES && bytes < BATCH_BYTES && states.next()) {
      Entry state = states.entry();
      boolean memory = states.origin() == Origin.MEMORY;
      if (!state.antimatter() || memory) {
        Slice primaryKey = entryKeys.primaryKey(state.key());
        bytes += primaryKey.length();
        count++;
        if (spared && !memory) {
          certainKeys.add(primaryKey);
        } else {
          long stamp = stamps == null || memory ? Candidates.NO_STAMP : Stamp.of(state);
          batch.add(primaryKey, stamp, exact && !memory);
        }
      }
    }
    if (!ended || last) {
      addSaved();
    }
    return !isEmpty();
  }

  /** Adds the records that were saved for the reader: their entries may be gone. */
  private void addSaved() {
    if (newlySaved != null) {
      newlySaved
          .look()
          .forEachRemaining(saved -> batch.add(saved.toSlice(), Candidates.NO_STAMP, false));
    }
  }

  private void rememberFound() {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.isFound(i)) {
        FoundKeys all = foundBefore == null ? new FoundKeys() : foundBefore;
        foundBefore = all;
        all.add(batch.key(i, key));
      }
    }
  }

  /** Whether no bulk load is under way that may still fail. */
  private boolean isLoaded() {
    Boolean known = loaded;
    if (known == null) {
      known = indexes.primary().state().hasDiskComponents();
      loaded = known;
    }
    return known;
  }

  /** Whether a candidate needs no look at its record. */
  private boolean isSpared(int candidate, Wish wish) {
    return wish == Wish.KEYS && batch.isCertain(candidate) && isLoaded();
  }

  /** Gathers the records that will be asked for next: few at first, as most searches are short. */
  private RecordLookup.Batch lookAhead(Wish wish) {
    RecordLookup.Batch records =
        ahead == null ? new RecordLookup(lifecycle, view).newBatch().expectAll() : ahead;
    records.clear();
    int candidate = position - 1;
    Slice next = new Slice();
    while (candidate < batch.size() && records.size() < recordsAhead) {
      batch.key(candidate, next);
      boolean needed =
          !batch.isRepeated(candidate) && !isSpared(candidate, wish) && !isFoundBefore(next);
      if (needed) {
        records.add(next);
      }
      candidate++;
    }
    lookedUpTo = candidate;
    recordsAhead = Math.min(2 * recordsAhead, MOST_AHEAD);
    ahead = records;
    return records;
  }

  private boolean valid(Wish wish) throws StorageException {
    if (batch.isRepeated(position - 1)) {
      // Then that one was no match, or both are.
      return false;
    }
    RecordLookup.Batch records = ahead == null || position > lookedUpTo ? lookAhead(wish) : ahead;
    Entry read = found == null ? new Entry() : found;
    found = read;
    if (!records.next(indexes.primary(), read)) {
      return false;
    }
    if (batch.isCertain(position - 1) && isLoaded() && isUnchanged(records)) {
      return true;
    }
    RecordEntries record = current == null ? indexes.shownEntries() : current;
    current = record;
    record.readStored(read, indexes.primary());
    return record.has(secondary)
        && filter.holds(record.filterValue())
        && wanted.test(record.key(secondary), record.value(secondary));
  }

  /**
   * Whether the record that was looked up last is certainly as it was when the search was opened.
   */
  private boolean isUnchanged(RecordLookup.Batch records) {
    return records.wasOnDisk() && indexes.primary().state().newestFlush() == flushBefore;
  }

  /** True: the candidate is a match, and the other entries of its record are left out. */
  private boolean matched() {
    batch.markFound(position - 1);
    while (position < batch.size() && batch.isRepeated(position)) {
      position++;
    }
    atMatch = true;
    return true;
  }

  /**
   * The encoded primary key.
   *
   * @throws IllegalStateException when the search is at no record
   */
  Slice key() {
    requireMatch();
    return key;
  }

  /**
   * The record's bytes, after {@link #nextRecord}.
   *
   * @throws IllegalStateException when the search is at no record
   */
  Slice record() {
    requireMatch();
    return Objects.requireNonNull(found).value();
  }

  private void requireMatch() {
    if (!atMatch) {
      throw RecordCursor.atNoRecord();
    }
  }

  /** Leaves the partition; idempotent. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      atMatch = false;
      batch.clear();
      try {
        states.close();
      } finally {
        lifecycle.handles().closed(handle);
        lifecycle.users().leaveRead();
      }
    }
  }
}
