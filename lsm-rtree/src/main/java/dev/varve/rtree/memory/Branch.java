package dev.varve.rtree.memory;

import static dev.varve.btree.memory.EntryArena.NO_ADDRESS;

import dev.varve.btree.memory.EntryArena;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.rtree.query.Frontier;
import dev.varve.rtree.query.LeafEntries;
import org.jspecify.annotations.Nullable;

/**
 * A node that a search for the nearest has not looked into yet, and the fence up to which it was
 * responsible when the search saw it in its parent. What a split has moved away since then is
 * looked for to the right. Confined to one search.
 */
final class Branch {
  private final Node node;
  private final int highFence;

  /** A node, and its high fence as its parent stated it. */
  Branch(Node node, int highFence) {
    this.node = node;
    this.highFence = highFence;
  }

  /** The entries of a leaf as they were under one version. */
  private static final class Addresses implements LeafEntries {
    private final EntryArena arena;
    private final int[] bySlot;

    Addresses(EntryArena arena, int[] bySlot) {
      this.arena = arena;
      this.bySlot = bySlot;
    }

    @Override
    public void copy(int slot, Entry target) {
      arena.copy(bySlot[slot], target);
    }
  }

  /** Offers what is directly below the node. */
  void expand(MemoryRTree tree, Frontier frontier) throws StorageException {
    while (true) {
      long version = node.stableVersion();
      int count = node.count;
      int boxes = node.level == 0 ? count : count + 1;
      double[] distances = new double[boxes];
      for (int i = 0; i < boxes; i++) {
        distances[i] = frontier.distance(node.minX[i], node.minY[i], node.maxX[i], node.maxY[i]);
      }
      int[] addresses = new int[count];
      System.arraycopy(node.addresses, 0, addresses, 0, count);
      @Nullable Node @Nullable [] children = node.children == null ? null : node.children.clone();
      int high = node.highFence;
      if (node.validate(version)) {
        if (children == null) {
          frontier.offerLeaf(new Addresses(tree.arena(), addresses), distances);
        } else {
          frontier.offerBranches(slot -> child(slot, children, addresses, high), distances);
        }
        if (high != highFence) {
          Branch right = new Branch(right(tree, high), highFence);
          frontier.offerBranches(only -> right, new double[1]);
        }
        return;
      }
    }
  }

  /** A child, and its high fence: the separator to its right, or the parent's own. */
  private static Branch child(
      int slot, @Nullable Node[] children, int[] separators, int highFence) {
    Node child = children[slot];
    if (child == null) {
      throw new IllegalStateException("a node without a child");
    }
    return new Branch(child, slot < separators.length ? separators[slot] : highFence);
  }

  /** The node of this one's level that begins with a fence. */
  private Node right(MemoryRTree tree, int fence) {
    assert fence != NO_ADDRESS;
    Slice key = new Slice();
    tree.arena().viewKey(fence, key);
    while (true) {
      Node found = tryRight(tree, key);
      if (found != null) {
        return found;
      }
      Thread.onSpinWait();
    }
  }

  private @Nullable Node tryRight(MemoryRTree tree, Slice key) {
    Node at = tree.root();
    long version = at.stableVersion();
    if (at != tree.root()) {
      return null;
    }
    while (at.level > node.level) {
      int slot = tree.search(at, version, key);
      if (slot == MemoryRTree.MOVED || at.children == null) {
        return null;
      }
      Node child = at.children[MemoryRTree.childIndex(slot)];
      if (child == null) {
        return null;
      }
      long childVersion = child.stableVersion();
      if (!at.validate(version)) {
        return null;
      }
      at = child;
      version = childVersion;
    }
    return at;
  }
}
