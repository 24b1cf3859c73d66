package dev.varve.dataset.internal.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.LsmCursor;
import dev.varve.common.index.LsmIndex;
import dev.varve.dataset.internal.partition.StoredForm.Sight;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordCursor;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records that a reader sees, in the order of their primary keys. Confined to one thread. */
final class PrimaryCursor implements RecordCursor {
  private final PartitionLifecycle lifecycle;
  private final NodeHealth health;
  private final LsmIndex<KeyRange> index;
  private final RecordLookup lookup;
  private final LsmCursor states;

  /** Number of retractions before anything was read: entries are read ahead of their turn. */
  private final long retractionsBefore;

  private final OpenHandles.Handle handle;
  private final FilterRange filter;
  private final StoredForm form;
  private final boolean descending;
  private final ReadView view;

  /** Reads what records are filtered by; null when all are wanted. */
  private final @Nullable RecordEntries entries;

  /** Where records are looked up; null before the first, which most scans never come to. */
  private @Nullable Entry room;

  /** Null while the cursor is at no record. */
  private @Nullable Entry record;

  /**
   * The keys with a version that was saved for the reader, which the indexes may not have any more;
   * null for a reader of what is committed. Begun after the states, so that a record was saved
   * before if they do not have it.
   */
  private final @Nullable Iterator<Key> saved;

  private @Nullable Key nextSaved;

  /** Whether {@code states} is at a state whose turn has not come. */
  private boolean ahead;

  private boolean closed;

  /**
   * A cursor in a partition that the caller has entered as a reader, and that leaves it.
   *
   * @param index the primary, or one of primary keys where records are not asked for
   * @param form what is shown of what is stored
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with this cursor
  PrimaryCursor(
      PartitionLifecycle lifecycle,
      LsmIndex<KeyRange> index,
      KeyRange range,
      FilterRange filter,
      ReadView view,
      StoredForm form)
      throws StorageException {
    this.lifecycle = lifecycle;
    this.health = lifecycle.node().health();
    this.index = index;
    this.lookup = new RecordLookup(lifecycle, view, form);
    this.retractionsBefore = lifecycle.retractions();
    this.filter = filter;
    this.form = form;
    this.entries =
        filter.restricts()
            ? RecordEntries.ofStored(Objects.requireNonNull(lifecycle.schema()), 0)
            : null;
    this.states = filter.searchStates(index, range);
    this.view = view;
    Snapshots.Moment moment = view.moment();
    this.saved = moment == null ? null : lifecycle.saved().keys(range, moment, 0);
    this.descending = range.direction() == KeyRange.Direction.DESCENDING;
    this.handle = lifecycle.handles().opened(OpenHandles.Kind.CURSOR);
  }

  @Override
  public boolean next() throws StorageException {
    health.requireOpen();
    if (closed) {
      throw RecordCursor.atNoRecord();
    }
    record = null;
    return saved == null ? nextCommitted() : nextAsOf(saved);
  }

  private boolean nextCommitted() throws StorageException {
    while (states.next()) {
      Entry state = states.entry();
      if (lookup.isSettled(states.origin(), state.key(), retractionsBefore)) {
        Entry shown = shown(state);
        if (shown != null && isWanted(shown)) {
          record = shown;
          return true;
        }
      } else if (lookup.find(index, state.key(), found()) && isWanted(found())) {
        record = found();
        return true;
      }
    }
    return false;
  }

  private Entry found() {
    Entry made = room;
    if (made == null) {
      made = new Entry();
      room = made;
    }
    return made;
  }

  /** What is shown of a state that is settled; null for nothing. */
  private @Nullable Entry shown(Entry state) throws StorageException {
    if (state.antimatter() || form.isPlain(state)) {
      return state.antimatter() ? null : state;
    }
    Slice key = state.key();
    Slice value = state.value();
    Entry found = found();
    found.key().set(key.bytes(), key.offset(), key.length());
    found.value().set(value.bytes(), value.offset(), value.length());
    Sight sight = form.show(found, form.now());
    boolean there =
        sight == Sight.REPLACED ? lookup.find(index, state.key(), found) : sight == Sight.SHOWN;
    return there ? found : null;
  }

  /** Both what the indexes have and what was saved, a record of both by what was saved. */
  private boolean nextAsOf(Iterator<Key> keys) throws StorageException {
    Entry found = found();
    while (true) {
      ahead = ahead || states.next();
      if (nextSaved == null && keys.hasNext()) {
        nextSaved = keys.next();
      }
      Key due = nextSaved;
      int order = !ahead ? -1 : due == null ? 1 : order(due, states.entry().key());
      if (due != null && order <= 0) {
        nextSaved = null;
        ahead = ahead && order != 0;
        if (lookup.find(index, due.toSlice(), found) && isWanted(found)) {
          record = found;
          return true;
        }
      } else if (ahead) {
        ahead = false;
        if (findState(states.entry()) && isWanted(found)) {
          record = found;
          return true;
        }
      } else {
        view.requireOpen();
        lifecycle.saved().requireKept(Objects.requireNonNull(view.moment()));
        return false;
      }
    }
  }

  private int order(Key one, Slice other) {
    Slice key = one.toSlice();
    int order =
        Bytes.compare(
            key.bytes(), key.offset(), key.length(), other.bytes(), other.offset(), other.length());
    return descending ? -order : order;
  }

  /** Finds the record of a state as the reader sees it, by the state where nobody has its key. */
  private boolean findState(Entry state) throws StorageException {
    Entry found = found();
    if (!lookup.isSettled(states.origin(), state.key(), retractionsBefore)) {
      return lookup.find(index, state.key(), found);
    }
    found.key().copyOf(state.key());
    found.value().copyOf(state.value());
    found.antimatter(false);
    Sight sight = lookup.seen(state.key(), found, !state.antimatter());
    return sight == Sight.REPLACED ? lookup.find(index, state.key(), found) : sight == Sight.SHOWN;
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
