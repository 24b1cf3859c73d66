package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import java.util.Arrays;

/**
 * A set of primary keys that only grows, in some ten bytes a key more than the keys have: what a
 * search has found is remembered by the million. Confined to one thread.
 */
final class FoundKeys {
  private static final int LENGTH_BYTES = 2;

  /** Each key behind its length. */
  private byte[] keys = new byte[1 << 16];

  /** Where in {@code keys} a key begins, plus one; 0 for none. At most half of it is taken. */
  private int[] table = new int[1 << 12];

  private final Slice other = new Slice();
  private int used;
  private int count;

  /** Whether a key was added. */
  boolean contains(Slice key) {
    return table[place(key)] != 0;
  }

  /** Adds a key, unless it is there. */
  void add(Slice key) {
    int place = place(key);
    if (table[place] != 0) {
      return;
    }
    int end = Math.addExact(used, LENGTH_BYTES + key.length());
    if (end > keys.length) {
      keys = Arrays.copyOf(keys, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * end));
    }
    table[place] = used + 1;
    keys[used] = (byte) (key.length() >> Byte.SIZE);
    keys[used + 1] = (byte) key.length();
    System.arraycopy(key.bytes(), key.offset(), keys, used + LENGTH_BYTES, key.length());
    used = end;
    count++;
    if (2 * count > table.length) {
      grow();
    }
  }

  /** Where a key is, or the free place that it would take. */
  private int place(Slice key) {
    int place = (int) KeyHash.hash(key) & (table.length - 1);
    while (table[place] != 0 && !view(table[place] - 1, other).sameBytes(key)) {
      place = (place + 1) & (table.length - 1);
    }
    return place;
  }

  private Slice view(int begin, Slice view) {
    int length = ((keys[begin] & 0xFF) << Byte.SIZE) | (keys[begin + 1] & 0xFF);
    return view.set(keys, begin + LENGTH_BYTES, length);
  }

  private void grow() {
    Slice moved = new Slice();
    int[] old = table;
    table = new int[Math.multiplyExact(2, old.length)];
    for (int begin : old) {
      if (begin != 0) {
        table[place(view(begin - 1, moved))] = begin;
      }
    }
  }
}
