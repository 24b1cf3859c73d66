package dev.varve.invertedindex.postings;

import java.util.Arrays;

/**
 * A set of documents within {@value #SIZE} consecutive ordinals, as an ascending array while there
 * are few, as a bit set when there are many. Reused from window to window. Confined to one search.
 */
public final class Window {
  /** Ordinals in a window, as a power of two. */
  public static final int BITS = 14;

  /** Ordinals in a window. */
  public static final int SIZE = 1 << BITS;

  /** 64-bit words of a bit set over a window. */
  public static final int WORDS = SIZE / Long.SIZE;

  /** Most ordinals in an array: with more, a bit set is smaller. */
  public static final int MAX_ARRAY = SIZE / Character.SIZE;

  private final char[] values = new char[MAX_ARRAY];
  private final long[] words = new long[WORDS];
  private int count;
  private boolean dense;

  /** An empty window. */
  public Window() {}

  /** The number of the window in which an ordinal lies. */
  public static int of(int ordinal) {
    return ordinal >>> BITS;
  }

  /** Takes everything out. */
  public void clear() {
    count = 0;
    dense = false;
  }

  /** Whether it is held as a bit set. */
  public boolean dense() {
    return dense;
  }

  /** Appends a position above all that are in it. */
  public void append(int position) {
    assert position >= 0 && position < SIZE : position;
    assert dense || count == 0 || position > values[count - 1] : position;
    if (dense) {
      words[position >>> 6] |= 1L << position;
    } else if (count < MAX_ARRAY) {
      values[count++] = (char) position;
    } else {
      toWords();
      words[position >>> 6] |= 1L << position;
    }
  }

  /**
   * The array to fill with ascending positions.
   *
   * @param newCount how many there will be, at most {@link #MAX_ARRAY}
   */
  public char[] fillArray(int newCount) {
    assert newCount > 0 && newCount <= MAX_ARRAY : newCount;
    dense = false;
    count = newCount;
    return values;
  }

  /** The bit set to fill. */
  public long[] fillWords() {
    dense = true;
    return words;
  }

  boolean isEmpty() {
    if (!dense) {
      return count == 0;
    }
    long any = 0;
    for (long word : words) {
      any |= word;
    }
    return any == 0;
  }

  /** Keeps what is in the other, too. */
  void retain(Window other) {
    if (dense && other.dense) {
      for (int i = 0; i < WORDS; i++) {
        words[i] &= other.words[i];
      }
    } else if (dense) {
      count = select(other.values, other.count, words, values);
      dense = false;
    } else if (other.dense) {
      count = select(values, count, other.words, values);
    } else {
      count = intersect(other.values, other.count);
    }
  }

  /** Copies the positions whose bits are set; the target may be the source. */
  private static int select(char[] source, int count, long[] words, char[] target) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      char position = source[i];
      target[kept] = position;
      kept += (int) ((words[position >>> 6] >>> position) & 1);
    }
    return kept;
  }

  private int intersect(char[] others, int otherCount) {
    int kept = 0;
    int j = 0;
    for (int i = 0; i < count && j < otherCount; i++) {
      char position = values[i];
      if (others[j] < position) {
        j = gallop(others, j, otherCount, position);
      }
      if (j < otherCount && others[j] == position) {
        values[kept++] = position;
        j++;
      }
    }
    return kept;
  }

  /** The first index behind one that is too low whose position is not below the one wanted. */
  private static int gallop(char[] array, int low, int end, char wanted) {
    int step = 1;
    int tooLow = low;
    while (tooLow + step < end && array[tooLow + step] < wanted) {
      tooLow += step;
      step <<= 1;
    }
    int high = Math.min(tooLow + step, end);
    while (high - tooLow > 1) {
      int middle = (tooLow + high) >>> 1;
      if (array[middle] < wanted) {
        tooLow = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** Adds what is in the other; this one is a bit set afterwards. */
  void add(Window other) {
    toWords();
    if (other.dense) {
      for (int i = 0; i < WORDS; i++) {
        words[i] |= other.words[i];
      }
    } else {
      for (int i = 0; i < other.count; i++) {
        words[other.values[i] >>> 6] |= 1L << other.values[i];
      }
    }
  }

  /** Makes it a bit set. */
  public void toWords() {
    if (!dense) {
      Arrays.fill(words, 0);
      for (int i = 0; i < count; i++) {
        words[values[i] >>> 6] |= 1L << values[i];
      }
      dense = true;
    }
  }

  /** Counts each position once more. */
  void countInto(char[] counts) {
    if (!dense) {
      for (int i = 0; i < count; i++) {
        counts[values[i]]++;
      }
      return;
    }
    for (int i = 0; i < WORDS; i++) {
      for (long rest = words[i]; rest != 0; rest &= rest - 1) {
        counts[(i << 6) + Long.numberOfTrailingZeros(rest)]++;
      }
    }
  }

  /** Keeps the positions that were counted often enough. */
  void retainCounted(char[] counts, int atLeast) {
    toWords();
    for (int i = 0; i < WORDS; i++) {
      long kept = 0;
      for (long rest = words[i]; rest != 0; rest &= rest - 1) {
        if (counts[(i << 6) + Long.numberOfTrailingZeros(rest)] >= atLeast) {
          kept |= rest & -rest;
        }
      }
      words[i] = kept;
    }
  }

  /**
   * The first position at or above one, while it is held as a bit set.
   *
   * @return {@link #SIZE} when there is none
   */
  public int next(int from) {
    int word = from >>> 6;
    if (word >= WORDS) {
      return SIZE;
    }
    long rest = words[word] & (-1L << from);
    while (rest == 0) {
      if (++word == WORDS) {
        return SIZE;
      }
      rest = words[word];
    }
    return (word << 6) + Long.numberOfTrailingZeros(rest);
  }

  /**
   * Copies what is in it to the front of an array, as ordinals.
   *
   * @param target has room for a window
   * @param base ordinal of the window's first position
   * @return how many there are
   */
  public int copyTo(int[] target, int base) {
    if (!dense) {
      for (int i = 0; i < count; i++) {
        target[i] = base + values[i];
      }
      return count;
    }
    int copied = 0;
    for (int i = 0; i < WORDS; i++) {
      for (long rest = words[i]; rest != 0; rest &= rest - 1) {
        target[copied++] = base + (i << 6) + Long.numberOfTrailingZeros(rest);
      }
    }
    return copied;
  }

  /** Position by index, while it is held as an array; {@link #SIZE} behind the last. */
  public int at(int index) {
    return index < count ? values[index] : SIZE;
  }
}
