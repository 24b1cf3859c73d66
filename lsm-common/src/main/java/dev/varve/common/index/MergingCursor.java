package dev.varve.common.index;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import java.util.List;

/**
 * Merges streams of entries in one key order and keeps, of each key, the entry of the newest
 * stream: the heap of sub-cursors on ⟨key, component⟩ of Storage Management in AsterixDB, section
 * 2.1. Antimatter is handed out like any entry. Confined to one thread.
 */
final class MergingCursor implements LsmCursor {
  private final EntryCursor[] cursors;
  private final long[] heads;
  private final int[] heap;
  private final int memoryCursors;
  private final boolean descending;
  private final Runnable onClose;
  private int size;
  private boolean started;
  private boolean closed;

  /**
   * Takes the cursors over, also when construction of the search fails later.
   *
   * @param cursors newest first
   * @param memoryCursors how many of them, from the first, read memory components
   * @param descending whether the streams descend
   * @param onClose runs once, after the cursors are closed
   */
  MergingCursor(
      List<EntryCursor> cursors, int memoryCursors, boolean descending, Runnable onClose) {
    this.cursors = cursors.toArray(new EntryCursor[0]);
    this.heads = new long[this.cursors.length];
    this.heap = new int[this.cursors.length];
    this.memoryCursors = memoryCursors;
    this.descending = descending;
    this.onClose = onClose;
  }

  @Override
  public boolean next() throws StorageException {
    if (closed) {
      throw new IllegalStateException("the cursor is closed");
    }
    if (started) {
      advanceTop();
    } else {
      started = true;
      fill();
    }
    if (size > 1) {
      skipOlderStates();
    }
    return size > 0;
  }

  @Override
  public Entry entry() {
    return cursors[heap[0]].entry();
  }

  @Override
  public Origin origin() {
    return originOf(heap[0]);
  }

  @Override
  public Origin originOf(int source) {
    return source < memoryCursors ? Origin.MEMORY : Origin.DISK;
  }

  @Override
  public Validity validity(int source, Slice key) {
    return Validity.VALID;
  }

  /** Which of the cursors has the current entry. */
  int source() {
    return heap[0];
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      for (EntryCursor cursor : cursors) {
        cursor.close();
      }
      onClose.run();
    }
  }

  private void fill() throws StorageException {
    for (int i = 0; i < cursors.length; i++) {
      if (cursors[i].next()) {
        heads[i] = cursors[i].entry().key().head();
        heap[size] = i;
        siftUp(size++);
      }
    }
  }

  private void advanceTop() throws StorageException {
    if (size > 0) {
      advance(0);
    }
  }

  /** Drops the states of the top's key that older components have: the newest is what counts. */
  private void skipOlderStates() throws StorageException {
    while (size > 1) {
      int child = size > 2 && order(heap[2], heap[1]) < 0 ? 2 : 1;
      int top = heap[0];
      int other = heap[child];
      if (heads[top] != heads[other]
          || !cursors[top].entry().key().sameBytes(cursors[other].entry().key())) {
        return;
      }
      advance(child);
    }
  }

  private void advance(int position) throws StorageException {
    int cursor = heap[position];
    if (cursors[cursor].next()) {
      heads[cursor] = cursors[cursor].entry().key().head();
    } else {
      heap[position] = heap[--size];
    }
    siftDown(position);
  }

  private void siftUp(int from) {
    int position = from;
    while (position > 0) {
      int parent = (position - 1) >>> 1;
      if (order(heap[position], heap[parent]) >= 0) {
        return;
      }
      swap(position, parent);
      position = parent;
    }
  }

  private void siftDown(int from) {
    int position = from;
    while (true) {
      int least = 2 * position + 1;
      if (least >= size) {
        return;
      }
      if (least + 1 < size && order(heap[least + 1], heap[least]) < 0) {
        least++;
      }
      if (order(heap[position], heap[least]) <= 0) {
        return;
      }
      swap(position, least);
      position = least;
    }
  }

  private void swap(int a, int b) {
    int cursor = heap[a];
    heap[a] = heap[b];
    heap[b] = cursor;
  }

  /** Order of two cursors: by current key in the direction of the scan, then newer first. */
  private int order(int left, int right) {
    int byKey = Long.compareUnsigned(heads[left], heads[right]);
    if (byKey == 0) {
      byKey = cursors[left].entry().key().compareBytes(cursors[right].entry().key());
    }
    if (byKey == 0) {
      return Integer.compare(left, right);
    }
    return descending ? -byKey : byKey;
  }
}
