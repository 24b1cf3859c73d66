package dev.varve.btree.memory;

import static dev.varve.btree.memory.ArenaLayout.NO_ADDRESS;

import dev.varve.common.bytes.Slice;
import dev.varve.common.format.Entry;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One leaf's addresses and fences, copied out under one version, so that a cursor can walk them
 * while writers go on. Whole leaves are copied, and the next one is found by the fence of the one
 * before; fences stay fences for ever, so no key is met twice and none is passed over. Confined to
 * one cursor, which gives it back for the next search of the tree: it is most of the garbage that a
 * search makes.
 */
final class LeafCopy {
  /** Which leaf a descent ends at. */
  private enum Target {
    /** The one with the lowest keys. */
    FIRST,
    /** The one with the highest keys. */
    LAST,
    /** The one where a key is, or would be. */
    AT,
    /** The one where the highest key below a key is, or would be. */
    BEFORE
  }

  private final MemoryTree tree;
  private final EntryArena arena;
  private final AtomicReference<@Nullable LeafCopy> spare;
  private final int[] addresses = new int[Node.FAN_OUT];
  private final Slice fence = new Slice();
  private final Entry entry = new Entry();
  private int count;

  /** Only written, so that {@link #prefetch} has an effect. */
  @SuppressWarnings("UnusedVariable")
  private int prefetched;

  private int lowFence = NO_ADDRESS;
  private int highFence = NO_ADDRESS;

  private LeafCopy(MemoryTree tree, EntryArena arena, AtomicReference<@Nullable LeafCopy> spare) {
    this.tree = tree;
    this.arena = arena;
    this.spare = spare;
  }

  /**
   * A copy of no leaf yet.
   *
   * @param spare one of the same tree that nobody uses, or none; takes back what is given back
   */
  static LeafCopy of(MemoryTree tree, EntryArena arena, AtomicReference<@Nullable LeafCopy> spare) {
    LeafCopy unused = spare.getPlain() == null ? null : spare.getAndSet(null);
    return unused == null ? new LeafCopy(tree, arena, spare) : unused;
  }

  /** Whoever gave it back does not touch it any more. */
  void giveBack() {
    spare.setRelease(this);
  }

  int count() {
    return count;
  }

  /** Has the entries of some slots fetched into the processor's cache. */
  void prefetch(int from, int to) {
    prefetched += arena.prefetch(addresses, from, to);
  }

  /** The entry that was viewed last; the same object as long as this is not given back. */
  Entry entry() {
    return entry;
  }

  /** Points the entry at the one in a slot. */
  void view(int slot) {
    arena.view(addresses[slot], entry);
  }

  /** Whether no leaf follows. */
  boolean isLast() {
    return highFence == NO_ADDRESS;
  }

  /** Whether no leaf comes before. */
  boolean isFirst() {
    return lowFence == NO_ADDRESS;
  }

  /** Whether a key is above all keys that can be in this leaf. */
  boolean endsAtOrBelow(Slice key) {
    return highFence != NO_ADDRESS && arena.compare(highFence, key) <= 0;
  }

  /** Whether a key is below all keys that can be in this leaf. */
  boolean beginsAbove(Slice key) {
    return lowFence != NO_ADDRESS && arena.compare(lowFence, key) > 0;
  }

  /** The first slot whose key is at or above a key. */
  int slotAtOrAbove(Slice key) {
    return slot(key, 0);
  }

  /** The first slot whose key is above a key. */
  int slotAbove(Slice key) {
    return slot(key, 1);
  }

  private int slot(Slice key, int leastOrder) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (arena.compare(addresses[middle], key) >= leastOrder) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  void loadFirst() {
    load(Target.FIRST, fence);
  }

  void loadLast() {
    load(Target.LAST, fence);
  }

  /** Loads the leaf where a key belongs. */
  void loadAt(Slice key) {
    load(Target.AT, key);
  }

  /** Loads the leaf after this one. */
  void loadNext() {
    arena.viewKey(highFence, fence);
    load(Target.AT, fence);
  }

  /** Loads the leaf before this one. */
  void loadPrevious() {
    arena.viewKey(lowFence, fence);
    load(Target.BEFORE, fence);
  }

  private void load(Target target, Slice key) {
    while (!tryLoad(target, key)) {
      Thread.onSpinWait();
    }
  }

  private boolean tryLoad(Target target, Slice key) {
    Node node = tree.root();
    long version = node.stableVersion();
    if (node != tree.root()) {
      return false;
    }
    while (node.children != null) {
      int index = childIndex(node, version, target, key);
      Node child = index < 0 ? null : node.children[index];
      if (child == null) {
        return false;
      }
      long childVersion = child.stableVersion();
      if (!node.validate(version)) {
        return false;
      }
      node = child;
      version = childVersion;
    }
    count = node.count;
    System.arraycopy(node.addresses, 0, addresses, 0, count);
    lowFence = node.lowFence;
    highFence = node.highFence;
    return node.validate(version);
  }

  /** The child to go to; negative when a version moved. */
  private int childIndex(Node node, long version, Target target, Slice key) {
    if (target == Target.FIRST) {
      return 0;
    }
    if (target == Target.LAST) {
      return node.count;
    }
    int slot = tree.search(node, version, key);
    if (slot == MemoryTree.MOVED) {
      return -1;
    }
    if (target == Target.BEFORE) {
      return slot >= 0 ? slot : ~slot;
    }
    return MemoryTree.childIndex(slot);
  }
}
