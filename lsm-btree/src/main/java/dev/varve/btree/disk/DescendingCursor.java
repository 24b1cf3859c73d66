package dev.varve.btree.disk;

import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;

/** Walks a range of leaves downwards. Confined to one thread. */
final class DescendingCursor implements EntryCursor {
  private final LeafWindow window;
  private int nextLeaf;

  /** Slots from {@code begin} to before {@code slot} are still to come. */
  private int slot;

  private int begin;
  private boolean closed;

  DescendingCursor(LeafWindow window) {
    this.window = window;
    this.nextLeaf = window.lastLeaf();
  }

  @Override
  public boolean next() throws StorageException {
    while (slot <= begin) {
      if (closed) {
        return false;
      }
      if (nextLeaf < window.firstLeaf()) {
        window.unpin();
        return false;
      }
      window.load(nextLeaf--);
      slot = window.end();
      begin = window.begin();
    }
    slot--;
    window.view(slot);
    return true;
  }

  @Override
  public Entry entry() {
    return window.entry();
  }

  @Override
  public long position() {
    return window.position(slot);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      slot = 0;
      begin = 0;
      window.giveBack();
    }
  }
}
