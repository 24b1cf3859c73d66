package dev.varve.rtree.memory;

import static dev.varve.btree.memory.EntryArena.NO_ADDRESS;

import dev.varve.common.bytes.Slice;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.rtree.query.RegionQuery;

/**
 * Walks the leaves whose boxes a region reaches, in key order, while writers go on: the entries of
 * one leaf that are in the region are copied out under one version, and the next leaf is looked for
 * from the high fence of the one before. Fences stay fences for ever, so no entry is met twice, and
 * none is passed over that was there when the cursor was opened. Confined to one thread; entries
 * are views of the arena.
 */
final class RegionCursor implements EntryCursor {
  private final MemoryRTree tree;
  private final RegionQuery query;
  private final Entry entry = new Entry();
  private final Slice fenceKey = new Slice();

  /** Slots of a leaf that are looked at, then the addresses of the entries in them. */
  private final int[] addresses = new int[Node.FAN_OUT];

  /** Everything below this key is done; no address at the beginning. */
  private int fence = NO_ADDRESS;

  private int count;
  private int position;
  private boolean atEnd;

  /** Only written, so that fetching entries ahead has an effect. */
  @SuppressWarnings("UnusedVariable")
  private int prefetched;

  RegionCursor(MemoryRTree tree, RegionQuery query) {
    this.tree = tree;
    this.query = query;
  }

  @Override
  public boolean next() {
    while (position == count) {
      if (atEnd) {
        return false;
      }
      position = 0;
      count = 0;
      advance();
    }
    tree.arena().view(addresses[position++], entry);
    return true;
  }

  /** Moves to a later fence, past a leaf, which is then loaded, or past what is out of reach. */
  private void advance() {
    Node node = tree.root();
    long version = node.stableVersion();
    if (node != tree.root()) {
      return;
    }
    boolean fenced = fence != NO_ADDRESS;
    if (fenced) {
      tree.arena().viewKey(fence, fenceKey);
    }
    while (node.children != null) {
      int from = 0;
      if (fenced) {
        int slot = tree.search(node, version, fenceKey);
        if (slot == MemoryRTree.MOVED) {
          return;
        }
        from = MemoryRTree.childIndex(slot);
      }
      int index = firstInReach(node, from);
      if (index < 0) {
        int high = node.highFence;
        if (node.validate(version)) {
          moveTo(high);
        }
        return;
      }
      // To the right of the child that the fence is in, all keys are above it.
      fenced &= index == from;
      Node child = node.children[index];
      if (child == null) {
        return;
      }
      long childVersion = child.stableVersion();
      if (!node.validate(version)) {
        return;
      }
      node = child;
      version = childVersion;
    }
    load(node, version);
  }

  private int firstInReach(Node node, int from) {
    int last = node.count;
    for (int box = from; box <= last; box++) {
      if (node.intersects(box, query)
          && query.reaches(node.minX[box], node.minY[box], node.maxX[box], node.maxY[box])) {
        return box;
      }
    }
    return -1;
  }

  private void load(Node leaf, long version) {
    int found = leaf.intersecting(query, addresses);
    int kept = 0;
    for (int i = 0; i < found; i++) {
      int slot = addresses[i];
      if (!query.isSelective()
          || query.accepts(leaf.minX[slot], leaf.minY[slot], leaf.maxX[slot], leaf.maxY[slot])) {
        addresses[kept++] = leaf.addresses[slot];
      }
    }
    int high = leaf.highFence;
    if (leaf.validate(version)) {
      count = kept;
      prefetched += tree.arena().prefetch(addresses, 0, kept);
      moveTo(high);
    }
  }

  private void moveTo(int newFence) {
    fence = newFence;
    atEnd = newFence == NO_ADDRESS;
  }

  @Override
  public Entry entry() {
    return entry;
  }

  @Override
  public void close() {
    // The garbage collector keeps the arena as long as a cursor looks at it.
    atEnd = true;
    position = count;
  }
}
