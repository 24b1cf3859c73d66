package dev.varve.rtree.query;

import dev.varve.common.error.StorageException;
import dev.varve.common.index.Entry;

/**
 * The entries of a leaf, nearest first, and those that are equally far in key order: a heap, since
 * of most leaves only a few are wanted. Confined to one search.
 */
final class Ranking {
  private final LeafEntries entries;
  private final double[] distances;
  private final int[] heap;
  private final Entry nearest = new Entry();
  private int size;
  private double distance;

  Ranking(LeafEntries entries, double[] distances) {
    this.entries = entries;
    this.distances = distances;
    this.size = distances.length;
    this.heap = new int[size];
    for (int slot = 0; slot < size; slot++) {
      heap[slot] = slot;
    }
    for (int position = size / 2 - 1; position >= 0; position--) {
      siftDown(position);
    }
  }

  /** Moves to the next entry; false when there is none. */
  boolean advance() throws StorageException {
    if (size == 0) {
      return false;
    }
    int slot = heap[0];
    heap[0] = heap[--size];
    siftDown(0);
    entries.copy(slot, nearest);
    distance = distances[slot];
    return true;
  }

  /** The entry, until the next call of {@link #advance}. */
  Entry nearest() {
    return nearest;
  }

  double distance() {
    return distance;
  }

  private void siftDown(int from) {
    int position = from;
    while (true) {
      int least = 2 * position + 1;
      if (least >= size) {
        return;
      }
      if (least + 1 < size && before(heap[least + 1], heap[least])) {
        least++;
      }
      if (!before(heap[least], heap[position])) {
        return;
      }
      int slot = heap[position];
      heap[position] = heap[least];
      heap[least] = slot;
      position = least;
    }
  }

  private boolean before(int left, int right) {
    int order = Double.compare(distances[left], distances[right]);
    return order != 0 ? order < 0 : left < right;
  }
}
