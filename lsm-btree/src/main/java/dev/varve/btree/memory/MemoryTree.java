package dev.varve.btree.memory;

import static dev.varve.btree.memory.ArenaLayout.NO_ADDRESS;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.LookupBatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A concurrent B+-tree over encoded entries. Thread-safe for any number of writers and readers; a
 * writer locks only the nodes it changes, a reader none.
 *
 * <p>How a descent works: a thread reads a node under its version, picks a child, reads the child's
 * version, and only then checks that the node's version did not move. So at the moment of the
 * check, the child was the right one for the key, and a split of it since then would show in the
 * child's version. Any failed check starts the operation over from the root. Writers split full
 * nodes on their way down, so that a split never has to go up.
 *
 * <p>Replacing an entry writes a new one to the arena and swaps the address: a reader has either
 * the old entry or the new one, both whole, because neither ever changes.
 *
 * <p>The B+-tree's format extends it by the search for a range of keys, and by nothing else, so
 * that an index in memory is the tree and no step before it.
 */
public abstract class MemoryTree {
  /** Result of a search that saw a version move; no slot number and no complement of one. */
  static final int MOVED = Integer.MIN_VALUE;

  /** Result of a find that saw a version move; like no address, it is never that of an entry. */
  private static final int MOVED_ADDRESS = NO_ADDRESS - 1;

  /** Entries whose keys are fetched from memory together. */
  private static final int SETTLED_TOGETHER = 64;

  private final EntryArena arena = new EntryArena();

  /** What a search left to the next one. */
  private final AtomicReference<@Nullable LeafCopy> spareCopy = new AtomicReference<>();

  /** Changed by whoever holds the lock of the old root, before that lock is released. */
  private volatile Node root = Node.leaf();

  private final PaddedCounter entries = new PaddedCounter();

  /** Changes at splits only, so it may have neighbours. */
  private final AtomicLong nodeBytes = new AtomicLong(Node.LEAF_BYTES);

  /** Null while nothing is; see {@link #gather}. */
  private @Nullable GatheredEntries gathered;

  /** An empty tree. */
  protected MemoryTree() {}

  /** Adds an entry, replacing one with the same key; the bytes are copied. */
  public final void put(Entry entry) {
    int address = arena.append(entry);
    while (!tryPut(entry.key(), address)) {
      Thread.onSpinWait();
    }
  }

  /**
   * Adds an entry that no reader sees before the tree is {@linkplain #settle settled}; the bytes
   * are copied. One thread, and none that puts beside it.
   */
  public final void gather(Entry entry) {
    GatheredEntries all = gathered;
    if (all == null) {
      all = new GatheredEntries();
      gathered = all;
    }
    Slice key = entry.key();
    long head = Bytes.head(key.bytes(), key.offset(), key.length());
    all.add(arena.append(entry), head);
    entries.getAndAdd(1);
    nodeBytes.getAndAdd(GatheredEntries.BYTES);
  }

  /** Puts what was gathered, in the order of its keys; of equal keys the last one stays. */
  public final void settle() {
    GatheredEntries all = gathered;
    if (all == null) {
      return;
    }
    gathered = null;
    int[] addresses = all.inOrder(arena);
    entries.getAndAdd(-addresses.length);
    nodeBytes.getAndAdd(-(long) GatheredEntries.BYTES * addresses.length);
    Slice key = new Slice();
    for (int i = 0; i < addresses.length; i++) {
      if (i % SETTLED_TOGETHER == 0) {
        arena.prefetchKeys(addresses, i, Math.min(i + SETTLED_TOGETHER, addresses.length));
      }
      arena.viewKey(addresses[i], key);
      while (!tryPut(key, addresses[i])) {
        Thread.onSpinWait();
      }
    }
  }

  /** Finds the entry with a key and copies it; false when there is none. */
  public final boolean find(Slice key, Entry found) {
    int address = tryFind(key);
    while (address == MOVED_ADDRESS) {
      Thread.onSpinWait();
      address = tryFind(key);
    }
    if (address == NO_ADDRESS) {
      return false;
    }
    arena.copy(address, found);
    return true;
  }

  /**
   * Finds the entries with the keys that a batch asks for; see {@link
   * dev.varve.common.format.MemoryIndex#findAll}.
   */
  public final void findAll(LookupBatch batch) {
    new MemorySweep(this::address, arena, batch).run();
  }

  /** Where the entry with a key is in the arena, or {@link ArenaLayout#NO_ADDRESS}. */
  private int address(Slice key) {
    int address = tryFind(key);
    while (address == MOVED_ADDRESS) {
      Thread.onSpinWait();
      address = tryFind(key);
    }
    return address;
  }

  /** The entries between two bounds, lowest key first. */
  @MustBeClosed
  public final EntryCursor ascending(KeyBound low, KeyBound high) {
    return new AscendingCursor(LeafCopy.of(this, arena, spareCopy), low, high);
  }

  /** The entries between two bounds, highest key first. */
  @MustBeClosed
  public final EntryCursor descending(KeyBound low, KeyBound high) {
    return new DescendingCursor(LeafCopy.of(this, arena, spareCopy), low, high);
  }

  /** Number of entries. */
  public final long entryCount() {
    return entries.get();
  }

  /** Bytes of heap in nodes and in the arena. */
  public final long usedBytes() {
    return nodeBytes.get() + arena.heldBytes();
  }

  /** The root; a caller that read its version must ask again whether it still is the root. */
  Node root() {
    return root;
  }

  /** Tries once to put an entry; false when a version moved, or after making room by a split. */
  private boolean tryPut(Slice key, int address) {
    Node parent = null;
    long parentVersion = 0;
    Node node = root;
    long[] heads = node.heads;
    long version = node.stableVersion();
    if (node != root) {
      return false;
    }
    while (node.children != null) {
      int slot = search(node, heads, version, key);
      if (slot == MOVED) {
        return false;
      }
      int index = childIndex(slot);
      if (node.count == Node.FAN_OUT) {
        if (lockForSplit(parent, parentVersion, node, version)) {
          split(parent, node, interiorSplitPoint(node, index), NO_ADDRESS);
        }
        return false;
      }
      Node child = node.children[index];
      long[] childHeads = node.childHeads(index);
      if (child == null || childHeads == null) {
        return false;
      }
      long childVersion = child.stableVersion();
      if (!node.validate(version)) {
        return false;
      }
      parent = node;
      parentVersion = version;
      node = child;
      heads = childHeads;
      version = childVersion;
    }
    int slot = search(node, heads, version, key);
    if (slot == MOVED) {
      return false;
    }
    if (slot < 0 && node.count == Node.FAN_OUT) {
      if (lockForSplit(parent, parentVersion, node, version)) {
        split(parent, node, leafSplitPoint(node, ~slot), address);
      }
      return false;
    }
    if (!node.tryLock(version)) {
      return false;
    }
    putInLockedLeaf(node, slot, key, address);
    return true;
  }

  private void putInLockedLeaf(Node leaf, int slot, Slice key, int address) {
    if (slot >= 0) {
      leaf.addresses[slot] = address;
      leaf.unlock();
      return;
    }
    leaf.insert(~slot, head(key, leaf.skip), address);
    leaf.unlock();
    entries.getAndAdd(1);
  }

  private int tryFind(Slice key) {
    Node node = root;
    long[] heads = node.heads;
    long version = node.stableVersion();
    if (node != root) {
      return MOVED_ADDRESS;
    }
    while (node.children != null) {
      int slot = search(node, heads, version, key);
      if (slot == MOVED) {
        return MOVED_ADDRESS;
      }
      int index = childIndex(slot);
      Node child = node.children[index];
      long[] childHeads = node.childHeads(index);
      if (child == null || childHeads == null) {
        return MOVED_ADDRESS;
      }
      long childVersion = child.stableVersion();
      if (!node.validate(version)) {
        return MOVED_ADDRESS;
      }
      node = child;
      heads = childHeads;
      version = childVersion;
    }
    int slot = search(node, heads, version, key);
    if (slot == MOVED) {
      return MOVED_ADDRESS;
    }
    int address = slot < 0 ? NO_ADDRESS : node.addresses[slot];
    return node.validate(version) ? address : MOVED_ADDRESS;
  }

  /**
   * Looks for a key in a node.
   *
   * @return the slot with the key, the complement of the slot where it belongs, or {@link #MOVED}.
   *     Unless it is {@code MOVED}, the caller still has to validate before trusting it.
   */
  int search(Node node, long version, Slice key) {
    return search(node, node.heads, version, key);
  }

  /** The same with the node's heads, for a reader that has them from the node's parent. */
  private int search(Node node, long[] heads, long version, Slice key) {
    int skip = node.skip;
    long head = head(key, skip);
    int low = Node.lowerBound(heads, head);
    if (low >= node.count || heads[low] != head) {
      return ~low;
    }
    int high = Node.upperBound(heads, node.count, head);
    while (low < high) {
      int middle = (low + high) >>> 1;
      int address = node.addresses[middle];
      // Only a validated address may be followed: its bytes happened before the version read.
      if (!node.validate(version)) {
        return MOVED;
      }
      int order = arena.compareAfterHead(address, key, skip);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return ~low;
  }

  /** The child that holds a key, from the result of a search: keys at a separator go right. */
  static int childIndex(int slot) {
    return slot >= 0 ? slot + 1 : ~slot;
  }

  private static long head(Slice key, int skip) {
    int length = key.length() - skip;
    // In a torn view the key may lack the node's prefix; validation fails afterwards.
    return Node.signed(length <= 0 ? 0 : Bytes.head(key.bytes(), key.offset() + skip, length));
  }

  /** Where to split a full leaf: in the middle, or near the end while keys come in order. */
  private static int leafSplitPoint(Node leaf, int insertAt) {
    boolean appending = leaf.highFence == NO_ADDRESS && insertAt >= Node.FAN_OUT * 7 / 8;
    return appending ? insertAt : Node.FAN_OUT / 2;
  }

  private static int interiorSplitPoint(Node node, int childIndex) {
    boolean appending = node.highFence == NO_ADDRESS && childIndex == Node.FAN_OUT;
    return appending ? Node.FAN_OUT - 1 : Node.FAN_OUT / 2;
  }

  /** Locks a node and its parent, which has room, or nothing when one of them has changed. */
  private boolean lockForSplit(@Nullable Node parent, long parentVersion, Node node, long version) {
    if (parent != null && !parent.tryLock(parentVersion)) {
      return false;
    }
    if (!node.tryLock(version)) {
      if (parent != null) {
        parent.unlock();
      }
      return false;
    }
    assert parent != null || node == root;
    return true;
  }

  /**
   * Splits a full, locked node and unlocks it and its parent, also when there is no heap left for a
   * split: it allocates before it changes anything.
   *
   * @param at the first slot of a leaf that moves to the new node, or the slot of an interior node
   *     whose separator moves up
   * @param appended the entry that a leaf is split for, which becomes the separator when all slots
   *     stay; the new leaf is then empty until the put comes back for it
   */
  private void split(@Nullable Node parent, Node node, int at, int appended) {
    assert node.count == Node.FAN_OUT;
    boolean leaf = node.children == null;
    int separator = at == node.count ? appended : node.addresses[at];
    try {
      Node right = leaf ? Node.leaf() : Node.interior();
      Node above = parent == null ? Node.interior() : parent;
      node.moveUpper(at, right, separator);
      node.refreshHeads(arena);
      right.refreshHeads(arena);
      if (parent == null) {
        above.setOnlyChild(node);
      }
      above.insertChild(node, right, Node.signed(arena.head(separator, above.skip)), separator);
      if (parent == null) {
        root = above;
        nodeBytes.getAndAdd(Node.INTERIOR_BYTES);
      }
      nodeBytes.getAndAdd(leaf ? Node.LEAF_BYTES : Node.INTERIOR_BYTES);
    } finally {
      node.unlock();
      if (parent != null) {
        parent.unlock();
      }
    }
  }
}
