package dev.varve.invertedindex.memory;

import java.util.Arrays;

/** Sorts numbers by an order of what they stand for. Stable; thread-safe: no state. */
final class NumberSort {
  private static final int SMALL = 8;

  private NumberSort() {}

  /** An order of what two numbers stand for. */
  @FunctionalInterface
  interface Order {
    int compare(int left, int right);
  }

  /** Merge sort; what is in order already is only looked through. */
  static void sort(int[] numbers, int count, Order order) {
    if (count > 1) {
      sort(numbers, Arrays.copyOf(numbers, count), 0, count, order);
    }
  }

  /** Sorts a range of both arrays' same content into the first. */
  private static void sort(int[] target, int[] source, int from, int to, Order order) {
    if (to - from <= SMALL) {
      insertionSort(target, from, to, order);
      return;
    }
    int middle = (from + to) >>> 1;
    sort(source, target, from, middle, order);
    sort(source, target, middle, to, order);
    if (order.compare(source[middle - 1], source[middle]) <= 0) {
      System.arraycopy(source, from, target, from, to - from);
      return;
    }
    int left = from;
    int right = middle;
    for (int i = from; i < to; i++) {
      boolean takeLeft =
          right == to || (left < middle && order.compare(source[left], source[right]) <= 0);
      target[i] = takeLeft ? source[left++] : source[right++];
    }
  }

  private static void insertionSort(int[] numbers, int from, int to, Order order) {
    for (int i = from + 1; i < to; i++) {
      int number = numbers[i];
      int at = i;
      while (at > from && order.compare(numbers[at - 1], number) > 0) {
        numbers[at] = numbers[at - 1];
        at--;
      }
      numbers[at] = number;
    }
  }
}
