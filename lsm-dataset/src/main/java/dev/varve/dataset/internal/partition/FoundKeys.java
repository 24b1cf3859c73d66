package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;

/**
 * A set of primary keys that only grows, in some ten bytes a key more than the keys have: what a
 * search has found is remembered by the million. Confined to one thread.
 */
final class FoundKeys {
  private final KeyList keys;

  /** Where in {@code keys} a key begins, plus one; 0 for none. At most half of it is taken. */
  private int[] table = new int[1 << 12];

  private final Slice other = new Slice();
  private int count;

  /** How far {@link #include} has come in the list. */
  private int included;

  /** An empty set. */
  FoundKeys() {
    this(new KeyList());
  }

  /** A set of keys that lie in a list already; none of them is in it yet. */
  FoundKeys(KeyList keys) {
    this.keys = keys;
  }

  /** Whether a key was added. */
  boolean contains(Slice key) {
    return table[place(key)] != 0;
  }

  /** Adds a key, unless it is there. */
  void add(Slice key) {
    int place = place(key);
    if (table[place] == 0) {
      take(place, keys.add(key));
    }
  }

  /** Adds the keys of the list up to a place, unless they are there. */
  void include(int end) {
    Slice key = new Slice();
    for (; included < end; included = KeyList.behind(key)) {
      int place = place(keys.view(included, key));
      if (table[place] == 0) {
        take(place, included);
      }
    }
  }

  private void take(int place, int begin) {
    table[place] = begin + 1;
    count++;
    if (2 * count > table.length) {
      grow();
    }
  }

  /** Where a key is, or the free place that it would take. */
  private int place(Slice key) {
    int place = (int) KeyHash.hash(key) & (table.length - 1);
    while (table[place] != 0 && !keys.view(table[place] - 1, other).sameBytes(key)) {
      place = (place + 1) & (table.length - 1);
    }
    return place;
  }

  private void grow() {
    Slice moved = new Slice();
    int[] old = table;
    table = new int[Math.multiplyExact(2, old.length)];
    for (int begin : old) {
      if (begin != 0) {
        table[place(keys.view(begin - 1, moved))] = begin;
      }
    }
  }
}
