package dev.varve.rtree.query;

/**
 * Slots by distance, nearest first, and those that are equally far in their order: a heap, since of
 * most nodes only a few are wanted. Confined to one search.
 */
final class Ranking {
  private final double[] distances;
  private final int[] heap;
  private int size;
  private int slot;

  /** A ranking of all slots; takes the distances over. */
  Ranking(double[] distances) {
    this.distances = distances;
    this.size = distances.length;
    this.heap = new int[size];
    for (int i = 0; i < size; i++) {
      heap[i] = i;
    }
    for (int position = size / 2 - 1; position >= 0; position--) {
      siftDown(position);
    }
  }

  /** Moves to the next slot; false when there is none. */
  boolean advance() {
    if (size == 0) {
      return false;
    }
    slot = heap[0];
    heap[0] = heap[--size];
    siftDown(0);
    return true;
  }

  /** The slot. */
  int slot() {
    return slot;
  }

  /** How far it is. */
  double distance() {
    return distances[slot];
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
      int nearer = heap[least];
      heap[least] = heap[position];
      heap[position] = nearer;
      position = least;
    }
  }

  private boolean before(int left, int right) {
    int order = Double.compare(distances[left], distances[right]);
    return order != 0 ? order < 0 : left < right;
  }
}
