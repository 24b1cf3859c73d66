package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.Bytes;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Sorts keys in the order of their unsigned bytes: a quicksort that compares eight bytes at a time,
 * which lie beside each other, and goes on behind them where they are the same. Used once, by one
 * thread.
 *
 * <p>Implementation note. Where a key ends, its eight bytes are filled with zeros. Among those with
 * the same eight a key that ends in them is the beginning of every longer one, and comes first.
 */
final class KeySort {
  private static final int FEW = 20;
  private static final int MOST_LEVELS = 80;
  private static final Comparator<byte[]> ORDER = Arrays::compareUnsigned;

  private final byte[][] keys;

  /** Of each key the eight bytes that are compared now, such that they compare as signed. */
  private final long[] words;

  private KeySort(byte[][] keys) {
    this.keys = keys;
    this.words = new long[keys.length];
  }

  /** Sorts all of an array. */
  static void sort(byte[][] keys) {
    KeySort sort = new KeySort(keys);
    sort.load(0, keys.length, 0);
    sort.sort(0, keys.length, 0, 0);
    assert keys.length < 2 || ORDER.compare(keys[0], keys[keys.length - 1]) <= 0;
  }

  private void load(int begin, int end, int depth) {
    for (int i = begin; i < end; i++) {
      words[i] = word(keys[i], depth);
    }
  }

  private static long word(byte[] key, int depth) {
    long word = 0;
    if (key.length >= depth + Long.BYTES) {
      word = Bytes.getLongBigEndian(key, depth);
    } else {
      for (int i = depth; i < key.length; i++) {
        word |= (key[i] & 0xFFL) << (56 - 8 * (i - depth));
      }
    }
    return word ^ Long.MIN_VALUE;
  }

  /**
   * Sorts a part.
   *
   * @param depth before which all of its keys are the same
   * @param level how many parts it is in
   */
  private void sort(int first, int last, int depth, int level) {
    int begin = first;
    int end = last;
    int at = depth;
    while (end - begin > FEW) {
      if (level > MOST_LEVELS) {
        Arrays.sort(keys, begin, end, ORDER);
        return;
      }
      long pivot = pivot(begin, end);
      int less = begin;
      int greater = end;
      for (int i = begin; i < greater; ) {
        if (words[i] < pivot) {
          swap(less++, i++);
        } else if (words[i] > pivot) {
          swap(i, --greater);
        } else {
          i++;
        }
      }
      sort(begin, less, at, level + 1);
      sort(greater, end, at, level + 1);
      at += Long.BYTES;
      begin = endedFirst(less, greater, at);
      end = greater;
      load(begin, end, at);
    }
    sortFew(begin, end);
  }

  /**
   * Moves the keys that end before a depth to the front, in order; returns where the others begin.
   */
  private int endedFirst(int begin, int end, int depth) {
    int ended = begin;
    for (int i = begin; i < end; i++) {
      if (keys[i].length <= depth) {
        swap(ended++, i);
      }
    }
    Arrays.sort(keys, begin, ended, ORDER);
    return ended;
  }

  private long pivot(int begin, int end) {
    long one = words[begin];
    long two = words[(begin + end) >>> 1];
    long three = words[end - 1];
    return Math.max(Math.min(one, two), Math.min(Math.max(one, two), three));
  }

  private void sortFew(int begin, int end) {
    for (int i = begin + 1; i < end; i++) {
      byte[] key = keys[i];
      long word = words[i];
      int to = i;
      while (to > begin && isLess(word, key, to - 1)) {
        keys[to] = keys[to - 1];
        words[to] = words[to - 1];
        to--;
      }
      keys[to] = key;
      words[to] = word;
    }
  }

  private boolean isLess(long word, byte[] key, int than) {
    return word < words[than]
        || (word == words[than] && Arrays.compareUnsigned(key, keys[than]) < 0);
  }

  private void swap(int one, int other) {
    byte[] key = keys[one];
    keys[one] = keys[other];
    keys[other] = key;
    long word = words[one];
    words[one] = words[other];
    words[other] = word;
  }
}
