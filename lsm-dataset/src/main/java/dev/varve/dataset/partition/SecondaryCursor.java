package dev.varve.dataset.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.LsmCursor;
import dev.varve.common.index.Origin;
import dev.varve.dataset.kind.IndexKind;
import dev.varve.dataset.search.IndexSearch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records by a secondary index: candidates of a batch are collected, sorted by primary key, looked
 * up, and kept if the record's entry is still one that is searched for (Storage Management in
 * AsterixDB, sections 3.5 and 4.1). No lock is taken in the secondary index: validation makes up
 * for it. An antimatter entry in memory is a candidate too, because the transaction that put it
 * there may not be committed. Confined to one thread.
 *
 * <p>Implementation note. A record that changes while it is searched for may have its old entry
 * among the candidates, its new one, or both, in one batch or in several. Its entry of now decides,
 * so it is found if it matches all the time. In a batch all candidates of a record are next to each
 * other; what earlier batches found is remembered, so that no record is found twice.
 */
final class SecondaryCursor implements RecordCursor {
  /** Most candidates of a batch. */
  private static final int BATCH_CANDIDATES = 1 << 16;

  /** Most bytes of the candidates of a batch. */
  private static final long BATCH_BYTES = 8 << 20;

  private static final Comparator<Candidate> BY_PRIMARY_KEY =
      (a, b) ->
          Arrays.compareUnsigned(
              a.entry, a.primaryKeyAt, a.entry.length, b.entry, b.primaryKeyAt, b.entry.length);

  /** The key of an entry, and where in it the primary key begins. */
  private static final class Candidate {
    private final byte[] entry;
    private final int primaryKeyAt;
    private boolean found;

    Candidate(byte[] entry, int primaryKeyAt) {
      this.entry = entry;
      this.primaryKeyAt = primaryKeyAt;
    }

    Slice viewPrimaryKey(Slice view) {
      return view.set(entry, primaryKeyAt, entry.length - primaryKeyAt);
    }

    boolean sameRecord(Candidate other) {
      return BY_PRIMARY_KEY.compare(this, other) == 0;
    }
  }

  private final PartitionHost host;
  private final PartitionIndexes indexes;
  private final int secondary;
  private final RecordLookup lookup;

  /** Made for the first candidate: most of what a search without results would cost. */
  private @Nullable RecordEntries current;

  private final SecondaryIndex.EntryKeys entryKeys;
  private final LsmCursor states;
  private final IndexKind.Wanted wanted;
  private final List<Candidate> batch = new ArrayList<>();

  /** What batches before this one found. */
  private @Nullable FoundKeys foundBefore;

  private final Entry found = new Entry();
  private final Slice key = new Slice();
  private final OpenHandles.Handle handle;
  private int position;
  private boolean atRecord;
  private boolean closed;

  /** A cursor in a partition that the caller has entered as a reader, and that leaves it. */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with this cursor
  SecondaryCursor(PartitionHost host, PartitionIndexes indexes, int secondary, IndexSearch search)
      throws StorageException {
    this.host = host;
    this.indexes = indexes;
    this.secondary = secondary;
    this.lookup = new RecordLookup(host, null);
    SecondaryIndex<?> index = indexes.secondary(secondary);
    this.entryKeys = index.newEntryKeys();
    SecondaryIndex.Candidates candidates = index.search(search);
    this.states = candidates.states();
    this.wanted = candidates.wanted();
    this.handle = host.handles().opened(OpenHandles.Kind.CURSOR);
  }

  @Override
  public boolean next() throws StorageException {
    host.services().health().requireOpen();
    if (closed) {
      throw RecordCursor.atNoRecord();
    }
    atRecord = false;
    do {
      while (position < batch.size()) {
        Candidate candidate = batch.get(position++);
        if (valid(candidate)) {
          candidate.found = true;
          skipRestOfRecord();
          atRecord = true;
          return true;
        }
      }
    } while (fillBatch());
    return false;
  }

  private boolean fillBatch() throws StorageException {
    boolean more = states.next();
    if (more && !batch.isEmpty()) {
      rememberFound();
    }
    batch.clear();
    position = 0;
    long bytes = 0;
    for (; more; more = batch.size() < BATCH_CANDIDATES && bytes < BATCH_BYTES && states.next()) {
      Entry state = states.entry();
      if (!state.antimatter() || states.origin() == Origin.MEMORY) {
        Slice primaryKey = entryKeys.primaryKey(state.key());
        batch.add(
            new Candidate(state.key().toByteArray(), state.key().length() - primaryKey.length()));
        bytes += state.key().length();
      }
    }
    batch.sort(BY_PRIMARY_KEY);
    return !batch.isEmpty();
  }

  private void rememberFound() {
    FoundKeys all = foundBefore == null ? new FoundKeys() : foundBefore;
    foundBefore = all;
    for (Candidate candidate : batch) {
      if (candidate.found) {
        all.add(candidate.viewPrimaryKey(key));
      }
    }
  }

  private boolean valid(Candidate candidate) throws StorageException {
    candidate.viewPrimaryKey(key);
    if (foundBefore != null && foundBefore.contains(key)) {
      return false;
    }
    if (!lookup.find(indexes.primary(), key, found)) {
      return false;
    }
    RecordEntries record = current == null ? host.storedEntries() : current;
    current = record;
    record.readStored(found, indexes.primary());
    return record.has(secondary) && wanted.test(record.key(secondary), record.value(secondary));
  }

  /** Leaves the other entries of the record out that was just found. */
  private void skipRestOfRecord() {
    Candidate last = batch.get(position - 1);
    while (position < batch.size() && batch.get(position).sameRecord(last)) {
      position++;
    }
  }

  @Override
  public Slice key() {
    return requireRecord().key();
  }

  @Override
  public Slice value() {
    return requireRecord().value();
  }

  private Entry requireRecord() {
    if (!atRecord) {
      throw RecordCursor.atNoRecord();
    }
    return found;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      atRecord = false;
      batch.clear();
      try {
        states.close();
      } finally {
        host.handles().closed(handle);
        host.door().leaveRead();
      }
    }
  }
}
