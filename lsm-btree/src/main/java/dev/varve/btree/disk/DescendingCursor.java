package dev.varve.btree.disk;

import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;

/** Walks a range of leaves downwards. Confined to one thread. */
final class DescendingCursor implements EntryCursor {
  private final LeafWindow window;
  private final Entry entry = new Entry();
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
      if (closed || nextLeaf < window.firstLeaf()) {
        window.close();
        return false;
      }
      window.load(nextLeaf--);
      slot = window.end();
      begin = window.begin();
    }
    slot--;
    window.view(slot, entry);
    return true;
  }

  @Override
  public Entry entry() {
    return entry;
  }

  @Override
  public long position() {
    return window.position(slot);
  }

  @Override
  public void close() {
    closed = true;
    slot = 0;
    begin = 0;
    window.close();
  }
}
