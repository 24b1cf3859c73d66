package dev.varve.dataset.model;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import java.util.Arrays;

/**
 * Sorts keys by numbers: the first bytes behind what all keys begin with, and in their last bits
 * which key it is. Whole keys are compared only where those bytes do not tell. Confined to one
 * thread.
 */
public final class KeyOrder {
  /** A longer run of keys that the numbers do not tell apart is sorted by comparisons. */
  private static final int LONGEST_INSERTED = 16;

  private final Keys keys;
  private final Slice view = new Slice();
  private final Slice otherView = new Slice();

  private KeyOrder(Keys keys) {
    this.keys = keys;
  }

  /** Keys that are sorted. */
  @FunctionalInterface
  public interface Keys {
    /** The key at a position, for which a slice may be used. */
    Slice key(int position, Slice view);
  }

  /** The positions of the keys, ascending by key; of equal keys in any order. */
  public static int[] ascending(int count, Keys keys) {
    return new KeyOrder(keys).ascending(count);
  }

  private int[] ascending(int count) {
    int shared = count == 0 ? 0 : sharedPrefix(count);
    // The bits that number the keys; none for a single one.
    int bits = count <= 1 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
    long mask = (1L << bits) - 1;
    long[] numbers = new long[count];
    for (int i = 0; i < count; i++) {
      Slice key = keys.key(i, view);
      long head = Bytes.head(key.bytes(), key.offset() + shared, key.length() - shared);
      // Sorted as signed numbers below, with the order of unsigned ones.
      numbers[i] = ((head ^ Long.MIN_VALUE) & ~mask) | i;
    }
    Arrays.sort(numbers);
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      order[i] = (int) (numbers[i] & mask);
    }
    sortRuns(numbers, mask, order);
    return order;
  }

  private int sharedPrefix(int count) {
    Slice first = keys.key(0, otherView);
    int shared = first.length();
    for (int i = 1; i < count; i++) {
      Slice key = keys.key(i, view);
      int length = Math.min(shared, key.length());
      int mismatch =
          Arrays.mismatch(
              first.bytes(),
              first.offset(),
              first.offset() + length,
              key.bytes(),
              key.offset(),
              key.offset() + length);
      shared = mismatch < 0 ? length : mismatch;
    }
    return shared;
  }

  /** Sorts keys by themselves where their numbers are the same. */
  private void sortRuns(long[] numbers, long mask, int[] order) {
    int begin = 0;
    for (int end = 1; end <= order.length; end++) {
      if (end == order.length || (numbers[end] & ~mask) != (numbers[begin] & ~mask)) {
        if (end - begin > LONGEST_INSERTED) {
          sortByComparisons(order, begin, end);
        } else {
          insert(order, begin, end);
        }
        begin = end;
      }
    }
  }

  private void insert(int[] order, int begin, int end) {
    for (int i = begin + 1; i < end; i++) {
      int inserted = order[i];
      int at = i;
      while (at > begin && compare(order[at - 1], inserted) > 0) {
        order[at] = order[at - 1];
        at--;
      }
      order[at] = inserted;
    }
  }

  private void sortByComparisons(int[] order, int begin, int end) {
    int[] sorted =
        Arrays.stream(order, begin, end)
            .boxed()
            .sorted(this::compare)
            .mapToInt(Integer::intValue)
            .toArray();
    System.arraycopy(sorted, 0, order, begin, sorted.length);
  }

  private int compare(int left, int right) {
    return keys.key(left, view).compareBytes(keys.key(right, otherView));
  }
}
