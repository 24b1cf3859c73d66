package dev.varve.dataset.internal.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.LsmCursor;
import dev.varve.common.index.Origin;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.OrderedCursor;
import dev.varve.dataset.model.OrderedSearch;
import dev.varve.dataset.model.RecordCursor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The records that a search of a B+-tree finds, in the order of its entries: places of a page are
 * collected in that order, a part of them is looked up at a time in the order of primary keys, and
 * a record is kept where the entry that it has is the one of the place. So a record stands at the
 * place that it had when it was looked up, or is left out. As in {@link SecondaryMatches}, an
 * antimatter entry in memory is a place, too. Confined to one thread.
 *
 * <p>Implementation note. The index may not have the entries any more that records had at the
 * moment of the reader. Their saved versions have them, and are put to the places of each page
 * after its states were read. What is saved later changes later, so that those states have it.
 */
final class OrderedMatches implements OrderedCursor {
  /** Places of a page, and of what is looked up together: at first, and once a search goes on. */
  private static final int FEWEST = 8;

  private static final int MOST = 512;

  /** Bytes of records that are held at a time, about. */
  private static final long RECORD_BYTES = 8 << 20;

  /** Where a record may stand. */
  private static final class Place {
    private final Key entryKey;
    private final Key primaryKey;

    /** Null when it does not stand there. */
    private byte @Nullable [] record;

    Place(Key entryKey, Key primaryKey) {
      this.entryKey = entryKey;
      this.primaryKey = primaryKey;
    }
  }

  private final PartitionLifecycle lifecycle;
  private final PartitionIndexes indexes;
  private final int secondary;
  private final OrderedSearch search;
  private final FilterRange filter;
  private final ReadView view;
  private final NewlySaved newlySaved;
  private final RecordLookup.Batch lookup;
  private final RecordEntries current;
  private final SecondaryIndex.EntryKeys entryKeys;
  private final LsmCursor states;
  private final OpenHandles.Handle handle;
  private final Comparator<Key> order;

  /** By their entries, the records that stand behind the page as the reader sees them. */
  private final TreeMap<Key, Key> savedAhead;

  private final List<Place> page = new ArrayList<>();
  private final Entry found = new Entry();
  private final Slice key = new Slice();
  private final Slice value = new Slice();
  private final Slice entryKey = new Slice();

  /** The last place of the page that was collected last; null before the first. */
  private @Nullable Key reached;

  private int position;
  private int lookedUpTo;
  private int size = FEWEST;
  private boolean atMatch;
  private boolean ended;
  private boolean closed;

  /** A search in a partition that the caller has entered as a reader, and that this leaves. */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with this cursor
  OrderedMatches(PartitionLifecycle lifecycle, PartitionIndexes indexes, SecondarySearch asked)
      throws StorageException {
    this.lifecycle = lifecycle;
    this.indexes = indexes;
    this.secondary = asked.secondary();
    this.search = (OrderedSearch) asked.search();
    this.filter = asked.filter();
    this.view = asked.view();
    this.newlySaved = new NewlySaved(lifecycle.saved(), view);
    this.lookup = new RecordLookup(lifecycle, view).newBatch().expectAll();
    this.current = indexes.shownEntries();
    this.order = search.descending() ? Comparator.reverseOrder() : Comparator.naturalOrder();
    this.savedAhead = new TreeMap<>(order);
    SecondaryIndex<?> index = indexes.secondary(secondary);
    this.entryKeys = index.newEntryKeys();
    this.states = index.search(search, filter).states();
    this.handle = lifecycle.handles().opened(OpenHandles.Kind.CURSOR);
  }

  @Override
  public boolean next() throws StorageException {
    lifecycle.node().health().requireOpen();
    if (closed) {
      throw RecordCursor.atNoRecord();
    }
    atMatch = false;
    do {
      while (position < page.size()) {
        if (position == lookedUpTo) {
          lookUp();
        }
        Place place = page.get(position++);
        byte[] record = place.record;
        if (record != null) {
          place.record = null;
          show(place, record);
          return true;
        }
      }
    } while (collect());
    view.requireOpen();
    return false;
  }

  private void show(Place place, byte[] record) {
    Slice primary = place.primaryKey.toSlice();
    Slice entry = place.entryKey.toSlice();
    key.set(primary.bytes(), primary.offset(), primary.length());
    entryKey.set(entry.bytes(), entry.offset(), entry.length());
    value.set(record, 0, record.length);
    atMatch = true;
  }

  /** Gathers the next page; false when there is none. */
  private boolean collect() throws StorageException {
    page.clear();
    position = 0;
    lookedUpTo = 0;
    while (page.size() < size && !ended) {
      ended = !states.next();
      if (!ended && !(states.entry().antimatter() && states.origin() == Origin.DISK)) {
        Slice entry = states.entry().key();
        page.add(new Place(Key.ofSlice(entry), Key.ofSlice(entryKeys.primaryKey(entry))));
      }
    }
    addSaved();
    if (!page.isEmpty()) {
      Key last = page.get(page.size() - 1).entryKey;
      assert reached == null || order.compare(reached, last) < 0 : "back to " + last;
      reached = last;
    }
    return !page.isEmpty();
  }

  /** Puts those that stand in this page to its places; where it has none, some of those left. */
  private void addSaved() throws StorageException {
    Iterator<Key> keys = newlySaved.look();
    while (keys.hasNext()) {
      addSaved(keys.next());
    }
    Key last = page.isEmpty() ? null : page.get(page.size() - 1).entryKey;
    List<Place> saved = new ArrayList<>();
    while (!savedAhead.isEmpty()
        && (last == null ? saved.size() < MOST : order.compare(savedAhead.firstKey(), last) <= 0)) {
      var first = savedAhead.pollFirstEntry();
      saved.add(new Place(first.getKey(), first.getValue()));
    }
    if (!saved.isEmpty()) {
      merge(saved);
    }
  }

  private void addSaved(Key primaryKey) throws StorageException {
    Snapshots.Moment moment = view.moment();
    SavedVersions.Version version =
        moment == null ? null : lifecycle.saved().of(primaryKey.toSlice(), moment);
    byte[] record = version == null ? null : version.value();
    if (record == null) {
      return;
    }
    found.key().copyOf(primaryKey.toSlice());
    found.value().set(record, 0, record.length);
    current.readStored(found, indexes.primary());
    if (current.has(secondary) && search.range().contains(current.key(secondary))) {
      Key entry = Key.ofSlice(current.key(secondary));
      if (reached == null || order.compare(entry, reached) > 0) {
        savedAhead.put(entry, primaryKey);
      }
    }
  }

  private void merge(List<Place> saved) {
    saved.addAll(page);
    saved.sort((a, b) -> order.compare(a.entryKey, b.entryKey));
    page.clear();
    for (Place place : saved) {
      if (page.isEmpty() || !page.get(page.size() - 1).entryKey.equals(place.entryKey)) {
        page.add(place);
      }
    }
  }

  /** Looks the records of the next places up. */
  private void lookUp() throws StorageException {
    List<Place> part = page.subList(position, Math.min(page.size(), position + size));
    lookedUpTo = position + part.size();
    Place[] byKey = part.toArray(new Place[0]);
    Arrays.sort(byKey, (a, b) -> a.primaryKey.compareTo(b.primaryKey));
    lookup.clear();
    for (int i = 0; i < byKey.length; i++) {
      if (i == 0 || !byKey[i].primaryKey.equals(byKey[i - 1].primaryKey)) {
        lookup.add(byKey[i].primaryKey.toSlice());
      }
    }
    long bytes = 0;
    boolean there = false;
    for (int i = 0; i < byKey.length; i++) {
      if (i == 0 || !byKey[i].primaryKey.equals(byKey[i - 1].primaryKey)) {
        there = lookup.next(indexes.primary(), found) && isWanted();
      }
      if (there && current.key(secondary).sameBytes(byKey[i].entryKey.toSlice())) {
        byKey[i].record = found.value().toByteArray();
        bytes += found.value().length();
      }
    }
    int most = (int) Math.min(MOST, Math.max(1, RECORD_BYTES / (1 + bytes / byKey.length)));
    size = Math.min(2 * size, most);
  }

  private boolean isWanted() throws StorageException {
    current.readStored(found, indexes.primary());
    return current.has(secondary) && filter.holds(current.filterValue());
  }

  @Override
  public Slice key() {
    requireMatch();
    return key;
  }

  @Override
  public Slice value() {
    requireMatch();
    return value;
  }

  @Override
  public Slice entryKey() {
    requireMatch();
    return entryKey;
  }

  private void requireMatch() {
    if (!atMatch) {
      throw RecordCursor.atNoRecord();
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      atMatch = false;
      page.clear();
      savedAhead.clear();
      try {
        states.close();
      } finally {
        lifecycle.handles().closed(handle);
        lifecycle.users().leaveRead();
      }
    }
  }
}
