package dev.varve.dataset.internal.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.Origin;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.dataset.model.RankedCursor;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.rtree.geometry.Distances;
import dev.varve.rtree.geometry.SpatialKey;
import dev.varve.rtree.query.NearestCursor;
import java.util.HashSet;
import java.util.Iterator;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records by their distance from a point. Candidates come from the index nearest first, and each is
 * looked up when it is asked for, because most searches stop after a few. A record that turns out
 * to be elsewhere by now waits until its place is due: records that are equally far come in the
 * order of their entries, whatever the index remembers of where they were. Confined to one thread.
 */
final class NearestRecords implements RankedCursor {
  /** A record that is not where the index said, and its entry as it is now. */
  private record Moved(double distance, Slice entryKey, Key primaryKey)
      implements Comparable<Moved> {
    @Override
    public int compareTo(Moved other) {
      return compareTo(other.distance, other.entryKey);
    }

    int compareTo(double otherDistance, Slice otherKey) {
      int order = Double.compare(distance, otherDistance);
      return order != 0 ? order : entryKey.compareBytes(otherKey);
    }
  }

  private final PartitionLifecycle lifecycle;
  private final PartitionIndexes indexes;
  private final int secondary;
  private final NearestSearch search;
  private final FilterRange filter;
  private final RecordLookup lookup;

  /** Made for the first candidate: most of what a search without results would cost. */
  private @Nullable RecordEntries current;

  private final SecondaryIndex.EntryKeys entryKeys;
  private final NearestCursor candidates;

  /** Records that were found, or wait in {@code moved}. */
  private final Set<Key> seen = new HashSet<>();

  private final PriorityQueue<Moved> moved = new PriorityQueue<>();
  private final Entry found = new Entry();

  /** As of when; null for what is committed. */
  private final Snapshots.@Nullable Moment moment;

  private final NewlySaved newlySaved;
  private boolean candidateTaken = true;
  private boolean ended;
  private double distance;
  private final OpenHandles.Handle handle;
  private boolean atRecord;
  private boolean closed;

  /** A cursor in a partition that the caller has entered as a reader, and that leaves it. */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with this cursor
  NearestRecords(PartitionLifecycle lifecycle, PartitionIndexes indexes, SecondarySearch asked)
      throws StorageException {
    this.lifecycle = lifecycle;
    this.indexes = indexes;
    this.secondary = asked.secondary();
    this.search = (NearestSearch) asked.search();
    this.filter = asked.filter();
    this.moment = asked.view().moment();
    this.newlySaved = new NewlySaved(lifecycle.saved(), asked.view());
    this.lookup = new RecordLookup(lifecycle, asked.view());
    SecondaryIndex<?> index = indexes.secondary(secondary);
    this.entryKeys = index.newEntryKeys();
    this.candidates = index.nearest(search, filter);
    this.handle = lifecycle.handles().opened(OpenHandles.Kind.CURSOR);
  }

  @Override
  public boolean next() throws StorageException {
    lifecycle.node().health().requireOpen();
    if (closed) {
      throw RecordCursor.atNoRecord();
    }
    atRecord = false;
    atRecord = findNext();
    if (!atRecord && moment != null) {
      moment.requireOpen();
    }
    return atRecord;
  }

  private boolean findNext() throws StorageException {
    while (true) {
      if (candidateTaken && !ended) {
        ended = !candidates.nextState();
        addSaved();
        candidateTaken = !ended && isGone();
        if (candidateTaken) {
          continue;
        }
      }
      Moved due = moved.peek();
      if (due != null && isDue(due)) {
        moved.remove();
        if (arrived(due.primaryKey)) {
          return true;
        }
      } else if (ended) {
        return false;
      } else {
        candidateTaken = true;
        if (valid(candidates.entry().key())) {
          return true;
        }
      }
    }
  }

  /** Whether no candidate that is left comes before a record. */
  private boolean isDue(Moved record) {
    return ended || record.compareTo(candidates.distance(), candidates.entry().key()) <= 0;
  }

  /** Takes over the records that were saved for the reader: their entries may be gone. */
  private void addSaved() throws StorageException {
    Iterator<Key> keys = newlySaved.look();
    while (keys.hasNext()) {
      Key key = keys.next();
      if (!seen.contains(key) && read(key.toSlice())) {
        seen.add(key);
        moved.add(movedNow(key));
      }
    }
  }

  /** Whether it is certain that the entry was deleted. */
  private boolean isGone() {
    return candidates.entry().antimatter() && candidates.origin() == Origin.DISK;
  }

  private boolean valid(Slice candidate) throws StorageException {
    Slice primaryKey = entryKeys.primaryKey(candidate);
    if (!read(primaryKey)) {
      return false;
    }
    Key key = Key.ofSlice(primaryKey);
    if (!seen.add(key)) {
      return false;
    }
    if (entries().key(secondary).sameBytes(candidate)) {
      distance = candidates.distance();
      return true;
    }
    moved.add(movedNow(key));
    return false;
  }

  /** Whether a record that moved is due where it is now; if it moved on it waits again. */
  private boolean arrived(Key primaryKey) throws StorageException {
    if (!read(primaryKey.toSlice())) {
      return false;
    }
    Moved now = movedNow(primaryKey);
    if (!isDue(now)) {
      moved.add(now);
      return false;
    }
    distance = now.distance;
    return true;
  }

  /** Reads a record; false when there is none, or it has no place or is not wanted. */
  private boolean read(Slice primaryKey) throws StorageException {
    if (!lookup.find(indexes.primary(), primaryKey, found)) {
      return false;
    }
    RecordEntries record = entries();
    record.readStored(found, indexes.primary());
    return record.has(secondary) && filter.holds(record.filterValue());
  }

  private RecordEntries entries() {
    RecordEntries made = current;
    if (made == null) {
      made = indexes.shownEntries();
      current = made;
    }
    return made;
  }

  /** Where the record is that was read last. */
  private Moved movedNow(Key primaryKey) {
    Slice key = entries().key(secondary);
    double away =
        Distances.of(
            Distances.outside(search.x(), SpatialKey.minX(key), SpatialKey.maxX(key)),
            Distances.outside(search.y(), SpatialKey.minY(key), SpatialKey.maxY(key)));
    return new Moved(away, new Slice(key.toByteArray()), primaryKey);
  }

  @Override
  public double distance() {
    requireRecord();
    return distance;
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
      moved.clear();
      try {
        candidates.close();
      } finally {
        lifecycle.handles().closed(handle);
        lifecycle.users().leaveRead();
      }
    }
  }
}
