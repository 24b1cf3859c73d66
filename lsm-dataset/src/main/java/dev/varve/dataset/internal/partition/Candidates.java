package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.dataset.model.KeyOrder;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Entries of a secondary index whose records may be searched for: gathered as they come, then
 * sorted by primary key. Keys lie one behind the other in the order in which they are looked up,
 * since a search has hundreds of thousands of them. Confined to one thread, and reused.
 */
final class Candidates implements KeyOrder.Keys {
  /** The stamp of an entry that is in memory, or in an index without stamps. */
  static final long NO_STAMP = -1;

  private static final byte CERTAIN = 1;
  private static final byte FOUND = 2;
  private static final int FEWEST = 1 << 4;

  // Most searches find nothing, so nothing is made before the first candidate.
  private static final int[] NONE = {};
  private static final long[] NO_STAMPS = {};

  private KeyList keys = new KeyList();
  private int[] places = NONE;
  private long[] stamps = NO_STAMPS;
  private byte[] marks = Bytes.EMPTY;
  private int size;

  /** Adds one; its key is copied. */
  void add(Slice primaryKey, long stamp, boolean certain) {
    assert stamp >= NO_STAMP;
    if (size == places.length) {
      int length = Math.max(FEWEST, 2 * size);
      places = Arrays.copyOf(places, length);
      stamps = Arrays.copyOf(stamps, length);
      marks = Arrays.copyOf(marks, length);
    }
    places[size] = keys.add(primaryKey);
    stamps[size] = stamp;
    marks[size++] = certain ? CERTAIN : 0;
  }

  /** How many there are. */
  int size() {
    return size;
  }

  /** Forgets all. */
  void clear() {
    size = 0;
    keys.clear();
  }

  /** Points a slice at the primary key of one; returns the slice. */
  @Override
  public Slice key(int candidate, Slice into) {
    return keys.view(places[candidate], into);
  }

  /** Whether one has the same primary key as the one before it; false for the first. */
  boolean isRepeated(int candidate) {
    return candidate > 0 && keys.areSame(places[candidate - 1], places[candidate]);
  }

  /** Whether the record certainly had the entry. */
  boolean isCertain(int candidate) {
    return (marks[candidate] & CERTAIN) != 0;
  }

  /** Says that a record need not have the entry. */
  void doubt(int candidate) {
    marks[candidate] &= ~CERTAIN;
  }

  /** Whether the search has found the record. */
  boolean isFound(int candidate) {
    return (marks[candidate] & FOUND) != 0;
  }

  /** Says that the search has found the record. */
  void markFound(int candidate) {
    marks[candidate] |= FOUND;
  }

  /**
   * Decides by the stamp of its key whether one is certain, or not an entry of its record any more;
   * by some stamps it cannot be decided.
   *
   * @return whether it is obsolete
   */
  boolean judge(int candidate, long keyStamp) {
    assert keyStamp >= KeyStamps.UNSETTLED;
    if (stamps[candidate] == NO_STAMP || keyStamp == KeyStamps.UNSETTLED) {
      return false;
    }
    boolean obsolete = keyStamp > stamps[candidate];
    if (!obsolete) {
      marks[candidate] |= CERTAIN;
    } else {
      doubt(candidate);
    }
    return obsolete;
  }

  /** Sorts by primary key; the certain candidates of a record come first. */
  void sort() {
    if (size <= 1) {
      return;
    }
    Slice view = new Slice();
    KeyList sortedKeys = new KeyList();
    int[] order = KeyOrder.ascending(size, this);
    int[] unsortedPlaces = places;
    long[] unsortedStamps = stamps;
    byte[] unsortedMarks = marks;
    places = new int[unsortedPlaces.length];
    stamps = new long[places.length];
    marks = new byte[places.length];
    for (int i = 0; i < size; i++) {
      places[i] = sortedKeys.add(keys.view(unsortedPlaces[order[i]], view));
      stamps[i] = unsortedStamps[order[i]];
      marks[i] = unsortedMarks[order[i]];
    }
    keys = sortedKeys;
    for (int i = 1; i < size; i++) {
      for (int at = i; at > 0 && isMoreCertainThanBefore(at); at--) {
        exchangeWithBefore(at);
      }
    }
  }

  private boolean isMoreCertainThanBefore(int candidate) {
    return isCertain(candidate) && !isCertain(candidate - 1) && isRepeated(candidate);
  }

  /** Of two with the same key. */
  private void exchangeWithBefore(int candidate) {
    long stamp = stamps[candidate];
    stamps[candidate] = stamps[candidate - 1];
    stamps[candidate - 1] = stamp;
    byte mark = marks[candidate];
    marks[candidate] = marks[candidate - 1];
    marks[candidate - 1] = mark;
  }

  /** Leaves out those of which a predicate is true; the others stay in their order. */
  void removeIf(IntPredicate removed) {
    int left = 0;
    for (int i = 0; i < size; i++) {
      if (!removed.test(i)) {
        places[left] = places[i];
        stamps[left] = stamps[i];
        marks[left++] = marks[i];
      }
    }
    size = left;
  }
}
