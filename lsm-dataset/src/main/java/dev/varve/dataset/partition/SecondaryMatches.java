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
 * The records that a search of a secondary index finds: candidates of a batch are collected, sorted
 * by primary key, looked up, and kept if the record's entry is still one that is searched for
 * (Storage Management in AsterixDB, sections 3.5 and 4.1). No lock is taken in the secondary index:
 * validation makes up for it. An antimatter entry in memory is a candidate too, because the
 * transaction that put it there may not be committed. Confined to one thread.
 *
 * <p>Implementation note. A record that changes while it is searched for may have its old entry
 * among the candidates, its new one, or both, in one batch or in several. Its entry of now decides,
 * so it is found if it matches all the time. In a batch all candidates of a record are next to each
 * other; what earlier batches found is remembered, so that no record is found twice.
 *
 * <p>Where only keys are asked for, a candidate needs no validation when its newest state lies on
 * disk and the search is {@linkplain IndexKind#isExact exact}. What lies on disk is committed
 * (no-steal), and a change of the record would have put antimatter or a deleted key for the entry
 * into memory before its commit. So the record had the entry, committed, when the state was read.
 * The one exception is a bulk load, which publishes secondary indexes before the primary and may
 * fail in between: nothing is certain while the primary has nothing on disk.
 */
final class SecondaryMatches implements AutoCloseable {
  /** Most candidates of a batch. */
  private static final int BATCH_CANDIDATES = 1 << 16;

  /** Most bytes of the candidates of a batch. */
  private static final long BATCH_BYTES = 8 << 20;

  /** The certain candidates of a record come first. */
  private static final Comparator<Candidate> BY_PRIMARY_KEY =
      (a, b) -> {
        int order = Arrays.compareUnsigned(a.primaryKey, b.primaryKey);
        return order != 0 ? order : Boolean.compare(b.certain, a.certain);
      };

  private static final class Candidate {
    private final byte[] primaryKey;
    private final boolean certain;
    private boolean found;

    Candidate(byte[] primaryKey, boolean certain) {
      this.primaryKey = primaryKey;
      this.certain = certain;
    }

    Slice viewPrimaryKey(Slice view) {
      return view.set(primaryKey, 0, primaryKey.length);
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

  /** Whether an entry that stands is wanted, whatever else its record has. */
  private final boolean exact;

  /** Whether the primary had something on disk when the first certain candidate came. */
  private @Nullable Boolean loaded;

  private final List<Candidate> batch = new ArrayList<>();

  /** What batches before this one found. */
  private @Nullable FoundKeys foundBefore;

  private final Entry found = new Entry();
  private final Slice key = new Slice();
  private final OpenHandles.Handle handle;
  private int position;
  private boolean atMatch;
  private boolean closed;

  /** A search in a partition that the caller has entered as a reader, and that this leaves. */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with this search
  SecondaryMatches(PartitionHost host, PartitionIndexes indexes, int secondary, IndexSearch search)
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
    this.exact = candidates.exact();
    this.handle = host.handles().opened(OpenHandles.Kind.CURSOR);
  }

  /**
   * Moves to the next record and reads it; false at the end.
   *
   * @throws IllegalStateException when the search or the engine was closed
   */
  boolean nextRecord() throws StorageException {
    requireOpen();
    while (nextCandidate()) {
      if (valid()) {
        return matched();
      }
    }
    return false;
  }

  /** Moves to the next record and reads it only if it has to; see {@link #nextRecord}. */
  boolean nextKey() throws StorageException {
    requireOpen();
    while (nextCandidate()) {
      if ((batch.get(position - 1).certain && isLoaded()) || valid()) {
        return matched();
      }
    }
    return false;
  }

  private void requireOpen() {
    host.services().health().requireOpen();
    if (closed) {
      throw RecordCursor.atNoRecord();
    }
    atMatch = false;
  }

  /** Moves to the next candidate whose record no batch before found, and views its key. */
  private boolean nextCandidate() throws StorageException {
    do {
      while (position < batch.size()) {
        batch.get(position++).viewPrimaryKey(key);
        if (foundBefore == null || !foundBefore.contains(key)) {
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
      boolean memory = states.origin() == Origin.MEMORY;
      if (!state.antimatter() || memory) {
        byte[] primaryKey = entryKeys.primaryKey(state.key()).toByteArray();
        batch.add(new Candidate(primaryKey, exact && !memory));
        bytes += primaryKey.length;
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

  /** Whether no bulk load is under way that may still fail. */
  private boolean isLoaded() {
    Boolean known = loaded;
    if (known == null) {
      known = !indexes.primary().shape().components().isEmpty();
      loaded = known;
    }
    return known;
  }

  private boolean valid() throws StorageException {
    if (!lookup.find(indexes.primary(), key, found)) {
      return false;
    }
    RecordEntries record = current == null ? host.storedEntries() : current;
    current = record;
    record.readStored(found, indexes.primary());
    return record.has(secondary) && wanted.test(record.key(secondary), record.value(secondary));
  }

  /** True: the candidate is a match, and the other entries of its record are left out. */
  private boolean matched() {
    Candidate match = batch.get(position - 1);
    match.found = true;
    while (position < batch.size()
        && Arrays.equals(batch.get(position).primaryKey, match.primaryKey)) {
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
    return found.value();
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
        host.handles().closed(handle);
        host.door().leaveRead();
      }
    }
  }
}
