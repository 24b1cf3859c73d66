package dev.varve.common.index;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.Validity;
import java.util.List;

/**
 * Merges streams of entries in one key order and keeps, of each key, the entry of the newest
 * stream: the sub-cursors ordered by ⟨key, component⟩ of Storage Management in AsterixDB, section
 * 2.1. Antimatter is handed out like any entry. Confined to one thread.
 *
 * <p>Implementation note. The paper keeps a heap; here the cursors stand in a sorted list. A cursor
 * that moved on mostly goes a few places back, since components of similar size take turns and a
 * large one often comes again at once; looking from the front costs one comparison of two numbers a
 * place, where each level of a heap costs two that nobody can foresee. Beyond {@value #NEAR} places
 * it is a binary search. Ranks are what the list is sorted by: heads of keys, turned round where
 * the streams descend; only cursors of equal rank have their keys compared.
 */
final class MergingCursor implements LsmCursor {
  /** Places behind the front that are looked at one by one. */
  private static final int NEAR = 8;

  /** Where a cursor is before its first entry; nobody may read it. */
  private static final Entry NONE = new Entry();

  private final List<EntryCursor> streams;

  /** What is moved: the streams, or of one that reads several components the one it has come to. */
  private final EntryCursor[] cursors;

  /** The entry of each of them, which is the same object from its first entry on. */
  private final Entry[] entries;

  /** Numbers of the cursors that are not at their end, in order. */
  private final int[] order;

  /** The rank of each of them, beside its number. */
  private final long[] ranks;

  private final int memoryCursors;
  private final boolean descending;
  private final Runnable onClose;
  private Entry current = NONE;
  private int size;
  private boolean started;
  private boolean closed;

  /** Whether older states of a key are handed out, too, behind the newest. */
  private boolean all;

  /**
   * Takes the cursors over, also when construction of the search fails later.
   *
   * @param streams newest first
   * @param memoryCursors how many of them, from the first, read memory components
   * @param descending whether the streams descend
   * @param onClose runs once, after the cursors are closed
   */
  MergingCursor(
      List<EntryCursor> streams, int memoryCursors, boolean descending, Runnable onClose) {
    this.streams = streams;
    this.cursors = streams.toArray(new EntryCursor[streams.size()]);
    this.entries = new Entry[this.cursors.length];
    this.order = new int[this.cursors.length];
    this.ranks = new long[this.cursors.length];
    this.memoryCursors = memoryCursors;
    this.descending = descending;
    this.onClose = onClose;
  }

  /** Has the cursor hand out every state of each key, newest first; before it is moved. */
  MergingCursor withOlderStates() {
    assert !started : "some states were left out";
    all = true;
    return this;
  }

  @Override
  public boolean next() throws StorageException {
    if (size == 1) {
      // The only stream that is left has nothing to be compared with.
      if (!cursors[order[0]].next() && !moveToFollowing(order[0])) {
        size = 0;
      }
      current = entries[order[0]];
      return size == 1;
    }
    if (closed) {
      throw new IllegalStateException("the cursor is closed");
    }
    if (!started) {
      started = true;
      fill();
    } else if (size > 0) {
      advance(0);
    }
    while (!all && size > 1 && ranks[0] == ranks[1] && compareKeys(order[0], order[1]) == 0) {
      // An older component's state of the same key: the newest is what counts.
      advance(1);
    }
    if (size == 0) {
      return false;
    }
    current = entries[order[0]];
    return true;
  }

  @Override
  public Entry entry() {
    return current;
  }

  @Override
  public long position() {
    return streams.size() == 1 ? streams.get(0).position() : NOWHERE;
  }

  @Override
  public Origin origin() {
    return originOf(order[0]);
  }

  @Override
  public Origin originOf(int source) {
    return source < memoryCursors ? Origin.MEMORY : Origin.DISK;
  }

  @Override
  public Validity validity(int source, Slice key) {
    return Validity.VALID;
  }

  /** Which of the cursors has the current entry. */
  int source() {
    return order[0];
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      size = 0;
      try {
        for (EntryCursor stream : streams) {
          stream.close();
        }
      } finally {
        onClose.run();
      }
    }
  }

  private void fill() throws StorageException {
    for (int i = 0; i < cursors.length; i++) {
      if (begin(i)) {
        long rank = rank(i);
        int place = placeBehind(-1, i, rank);
        System.arraycopy(order, place, order, place + 1, size - place);
        System.arraycopy(ranks, place, ranks, place + 1, size - place);
        order[place] = i;
        ranks[place] = rank;
        size++;
      }
    }
  }

  /** Moves a stream to its first entry; false when it has none. */
  private boolean begin(int stream) throws StorageException {
    if (streams.get(stream) instanceof RunCursor<?>) {
      return moveToFollowing(stream);
    }
    if (!cursors[stream].next()) {
      return false;
    }
    entries[stream] = cursors[stream].entry();
    return true;
  }

  /** Moves a stream to the first entry of its next component; false when there is none. */
  private boolean moveToFollowing(int stream) throws StorageException {
    if (streams.get(stream) instanceof RunCursor<?> run) {
      EntryCursor following = run.following();
      while (following != null) {
        if (following.next()) {
          cursors[stream] = following;
          entries[stream] = following.entry();
          return true;
        }
        following = run.following();
      }
    }
    return false;
  }

  /** Moves the cursor at a place on, and to the place where it belongs then. */
  private void advance(int place) throws StorageException {
    int cursor = order[place];
    if (cursors[cursor].next() || moveToFollowing(cursor)) {
      assert cursors[cursor].entry() == entries[cursor];
      long rank = rank(cursor);
      int target = placeBehind(place, cursor, rank) - 1;
      for (int i = place; i < target; i++) {
        order[i] = order[i + 1];
        ranks[i] = ranks[i + 1];
      }
      order[target] = cursor;
      ranks[target] = rank;
    } else {
      size--;
      System.arraycopy(order, place + 1, order, place, size - place);
      System.arraycopy(ranks, place + 1, ranks, place, size - place);
    }
  }

  /** The first place behind a place whose cursor comes after a cursor with a rank. */
  private int placeBehind(int place, int cursor, long rank) {
    int low = place + 1;
    int near = Math.min(size, low + NEAR);
    while (low < near) {
      if (comesAfter(low, cursor, rank)) {
        return low;
      }
      low++;
    }
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (comesAfter(middle, cursor, rank)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private boolean comesAfter(int place, int cursor, long rank) {
    long there = ranks[place];
    if (there != rank) {
      return there > rank;
    }
    int other = order[place];
    int byKey = compareKeys(other, cursor);
    return byKey == 0 ? other > cursor : byKey > 0 ^ descending;
  }

  private int compareKeys(int left, int right) {
    return entries[left].key().compareBytes(entries[right].key());
  }

  /** A number that orders as the head of a cursor's key does, in the direction of the streams. */
  private long rank(int cursor) {
    long signed = entries[cursor].key().head() + Long.MIN_VALUE;
    return descending ? ~signed : signed;
  }
}
