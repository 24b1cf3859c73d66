package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.Slice;
import java.util.Arrays;

/**
 * Primary keys one behind the other, each behind its length in two bytes: what a search gathers or
 * has found is kept by the million. Confined to one thread.
 */
final class KeyList {
  private static final int LENGTH_BYTES = 2;
  private static final int LEAST_BYTES = 1 << 10;
  private static final byte[] NONE = {};

  private byte[] keys = NONE;
  private int end;

  /** Adds a key; returns where it is. */
  int add(Slice key) {
    int begin = end;
    end = Math.addExact(begin, LENGTH_BYTES + key.length());
    if (end > keys.length) {
      long larger = Math.max(LEAST_BYTES, 2L * end);
      keys = Arrays.copyOf(keys, (int) Math.min(Integer.MAX_VALUE - 8L, larger));
    }
    keys[begin] = (byte) (key.length() >> Byte.SIZE);
    keys[begin + 1] = (byte) key.length();
    System.arraycopy(key.bytes(), key.offset(), keys, begin + LENGTH_BYTES, key.length());
    return begin;
  }

  /** Points a slice at the key at a place; returns the slice. */
  Slice view(int begin, Slice view) {
    return view.set(keys, begin + LENGTH_BYTES, length(begin));
  }

  /** Whether the keys at two places are the same. */
  boolean areSame(int left, int right) {
    // The lengths are compared with the keys.
    int bytes = LENGTH_BYTES + length(left);
    return right + bytes <= end
        && Arrays.equals(keys, left, left + bytes, keys, right, right + bytes);
  }

  private int length(int begin) {
    return ((keys[begin] & 0xFF) << Byte.SIZE) | (keys[begin + 1] & 0xFF);
  }

  /** The place behind the key at a place that was viewed. */
  static int behind(Slice viewed) {
    return viewed.offset() + viewed.length();
  }

  /** Behind the last key: 0 when there is none. */
  int end() {
    return end;
  }

  /** Removes all keys. */
  void clear() {
    end = 0;
  }
}
