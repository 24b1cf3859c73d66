package dev.varve.btree.memory;

import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Slice;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;

/** Walks the leaves upwards. Confined to one thread; entries are views of the arena. */
final class AscendingCursor implements EntryCursor {
  private final LeafCopy leaf;
  private final KeyBound high;
  private final Slice highKey;
  private int slot;
  private int end;
  private boolean lastLeaf;
  private boolean closed;

  AscendingCursor(LeafCopy leaf, KeyBound low, KeyBound high) {
    this.leaf = leaf;
    this.high = high;
    this.highKey = high.key();
    if (low.isBounded()) {
      Slice lowKey = low.key();
      leaf.loadAt(lowKey);
      slot = low.isInclusive() ? leaf.slotAtOrAbove(lowKey) : leaf.slotAbove(lowKey);
    } else {
      leaf.loadFirst();
    }
    findEnd();
  }

  private void findEnd() {
    lastLeaf = leaf.isLast();
    end = leaf.count();
    if (high.isBounded() && !leaf.endsAtOrBelow(highKey)) {
      lastLeaf = true;
      end = high.isInclusive() ? leaf.slotAbove(highKey) : leaf.slotAtOrAbove(highKey);
    }
  }

  @Override
  public boolean next() {
    while (slot >= end) {
      if (lastLeaf) {
        return false;
      }
      leaf.loadNext();
      slot = 0;
      findEnd();
      leaf.prefetch(slot, end);
    }
    leaf.view(slot);
    slot++;
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
      end = 0;
      leaf.giveBack();
    }
  }
}
