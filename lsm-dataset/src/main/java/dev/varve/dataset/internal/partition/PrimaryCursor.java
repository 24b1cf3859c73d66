package dev.varve.dataset.internal.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.LsmCursor;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.Origin;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.transaction.lock.LockOwner;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Committed records in the order of their primary keys. Confined to one thread. */
final class PrimaryCursor implements RecordCursor {
  private final PartitionLifecycle lifecycle;
  private final NodeHealth health;
  private final LsmIndex<KeyRange> index;
  private final RecordLookup lookup;
  private final LsmCursor states;

  /** Number of retractions before anything was read: entries are read ahead of their turn. */
  private final long retractionsBefore;

  private final OpenHandles.Handle handle;
  private final Entry found = new Entry();
  private final FilterRange filter;

  /** Reads what records are filtered by; null when all are wanted. */
  private final @Nullable RecordEntries entries;

  /** Null while the cursor is at no record. */
  private @Nullable Entry record;

  private boolean closed;

  /**
   * A cursor in a partition that the caller has entered as a reader, and that leaves it.
   *
   * @param index the primary, or one of primary keys where records are not asked for
   * @param reader whose own changes are seen; null for a reader that has none
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with this cursor
  PrimaryCursor(
      PartitionLifecycle lifecycle,
      LsmIndex<KeyRange> index,
      KeyRange range,
      FilterRange filter,
      @Nullable LockOwner reader)
      throws StorageException {
    this.lifecycle = lifecycle;
    this.health = lifecycle.node().health();
    this.index = index;
    this.lookup = new RecordLookup(lifecycle, reader);
    this.retractionsBefore = lifecycle.retractions();
    this.filter = filter;
    this.entries =
        filter.restricts()
            ? RecordEntries.ofStored(Objects.requireNonNull(lifecycle.schema()))
            : null;
    this.states = filter.searchStates(index, range);
    this.handle = lifecycle.handles().opened(OpenHandles.Kind.CURSOR);
  }

  @Override
  public boolean next() throws StorageException {
    health.requireOpen();
    if (closed) {
      throw RecordCursor.atNoRecord();
    }
    record = null;
    while (states.next()) {
      Entry state = states.entry();
      if (states.origin() == Origin.DISK || lookup.settled(state.key(), retractionsBefore)) {
        if (!state.antimatter() && isWanted(state)) {
          record = state;
          return true;
        }
      } else if (lookup.findLocked(index, state.key(), found) && isWanted(found)) {
        record = found;
        return true;
      }
    }
    return false;
  }

  private boolean isWanted(Entry stored) throws StorageException {
    if (entries == null) {
      return true;
    }
    entries.readStored(stored, index);
    return filter.holds(entries.filterValue());
  }

  @Override
  public Slice key() {
    return current().key();
  }

  @Override
  public Slice value() {
    return current().value();
  }

  private Entry current() {
    Entry current = record;
    if (current == null) {
      throw RecordCursor.atNoRecord();
    }
    return current;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      record = null;
      try {
        states.close();
      } finally {
        lifecycle.handles().closed(handle);
        lifecycle.users().leaveRead();
      }
    }
  }
}
