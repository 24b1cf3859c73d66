package dev.varve.btree.memory;

import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Slice;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;

/** Walks the leaves downwards. Confined to one thread; entries are views of the arena. */
final class DescendingCursor implements EntryCursor {
  private final LeafCopy leaf;
  private final KeyBound low;
  private final Slice lowKey;

  /** Slots from {@code begin} to before {@code slot} are still to come. */
  private int slot;

  private int begin;
  private boolean lastLeaf;
  private boolean closed;

  DescendingCursor(LeafCopy leaf, KeyBound low, KeyBound high) {
    this.leaf = leaf;
    this.low = low;
    this.lowKey = low.key();
    if (high.isBounded()) {
      Slice highKey = high.key();
      leaf.loadAt(highKey);
      slot = high.isInclusive() ? leaf.slotAbove(highKey) : leaf.slotAtOrAbove(highKey);
    } else {
      leaf.loadLast();
      slot = leaf.count();
    }
    findBegin();
  }

  private void findBegin() {
    lastLeaf = leaf.isFirst();
    begin = 0;
    if (low.isBounded() && !leaf.beginsAbove(lowKey)) {
      lastLeaf = true;
      begin = low.isInclusive() ? leaf.slotAtOrAbove(lowKey) : leaf.slotAbove(lowKey);
    }
  }

  @Override
  public boolean next() {
    while (slot <= begin) {
      if (lastLeaf) {
        return false;
      }
      leaf.loadPrevious();
      slot = leaf.count();
      findBegin();
    }
    slot--;
    leaf.view(slot);
    return true;
  }

  @Override
  public Entry entry() {
    return leaf.entry();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      lastLeaf = true;
      slot = 0;
      begin = 0;
      leaf.giveBack();
    }
  }
}
