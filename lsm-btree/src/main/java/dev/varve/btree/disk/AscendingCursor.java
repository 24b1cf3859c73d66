package dev.varve.btree.disk;

import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;

/** Walks a range of leaves upwards. Confined to one thread. */
final class AscendingCursor implements EntryCursor {
  private final LeafWindow window;
  private int nextLeaf;
  private int slot;
  private int end;
  private boolean closed;

  AscendingCursor(LeafWindow window) {
    this.window = window;
    this.nextLeaf = window.firstLeaf();
  }

  @Override
  public boolean next() throws StorageException {
    while (slot >= end) {
      if (closed) {
        return false;
      }
      if (nextLeaf > window.lastLeaf()) {
        window.unpin();
        return false;
      }
      window.load(nextLeaf++);
      slot = window.begin();
      end = window.end();
    }
    window.view(slot++);
    return true;
  }

  @Override
  public Entry entry() {
    return window.entry();
  }

  @Override
  public long position() {
    return window.position(slot - 1);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      end = 0;
      window.giveBack();
    }
  }
}
