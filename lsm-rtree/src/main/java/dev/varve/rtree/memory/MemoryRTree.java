package dev.varve.rtree.memory;

import static dev.varve.btree.memory.EntryArena.NO_ADDRESS;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.memory.EntryArena;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.MemoryIndex;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.geometry.SpatialKey;
import dev.varve.rtree.query.Frontier;
import dev.varve.rtree.query.RegionQuery;
import dev.varve.rtree.query.SpatialQuery;
import dev.varve.rtree.query.SpatialSource;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A concurrent R-tree in the order of its keys, which begin with the position on the Hilbert curve.
 * So an entry has one place, found on one path: a delete meets the entry that it deletes, as the
 * one-state-per-key rule of a component demands, without a search along all boxes that overlap; and
 * a flush finds the entries in the order in which they go to disk. Searches go by boxes.
 *
 * <p>Thread-safe for any number of writers and readers; a writer locks only the nodes it changes, a
 * reader none. The descent is that of the memory B+-tree ({@code MemoryTree}): under versions, and
 * over from the root when one moved. A writer also widens the boxes that it passes; see {@link
 * Node}.
 */
public final class MemoryRTree implements MemoryIndex<SpatialQuery>, SpatialSource {
  /** Result of a search that saw a version move; no slot number and no complement of one. */
  static final int MOVED = Integer.MIN_VALUE;

  /** Result of a find that saw a version move; like no address, it is never that of an entry. */
  private static final int MOVED_ADDRESS = NO_ADDRESS - 1;

  private final EntryArena arena = new EntryArena();

  /** Changed by the writer that has the old root locked, before that lock is released. */
  private volatile Node root = new Node(0);

  private final AtomicLong entries = new AtomicLong();

  /** Changes at splits only. */
  private final AtomicLong nodeBytes = new AtomicLong(Node.LEAF_BYTES);

  /** An empty tree. */
  public MemoryRTree() {}

  /**
   * Adds an entry, replacing one with the same key; the bytes are copied.
   *
   * @throws IllegalArgumentException when the key is none that {@code SpatialKeyEncoder} makes
   */
  @Override
  public void put(Entry entry) {
    Slice key = entry.key();
    if (!SpatialKey.isWellFormed(key)) {
      throw new IllegalArgumentException("no spatial key: " + key);
    }
    Rectangle rectangle = SpatialKey.rectangle(key);
    int address = arena.append(entry);
    while (!tryPut(key, rectangle, address)) {
      Thread.onSpinWait();
    }
  }

  @Override
  public boolean find(Slice key, Entry found) {
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

  @Override
  @MustBeClosed
  public EntryCursor search(SpatialQuery query) throws StorageException {
    return query.openIn(this);
  }

  @Override
  @MustBeClosed
  public EntryCursor search(RegionQuery query) {
    return new RegionCursor(this, query);
  }

  @Override
  @MustBeClosed
  public EntryCursor scan() {
    return search(RegionQuery.everything());
  }

  @Override
  public void expand(@Nullable Object branch, Frontier frontier) throws StorageException {
    Branch from = branch == null ? new Branch(root, NO_ADDRESS) : (Branch) branch;
    from.expand(this, frontier);
  }

  @Override
  public long entryCount() {
    return entries.get();
  }

  @Override
  public long usedBytes() {
    return nodeBytes.get() + arena.heldBytes();
  }

  EntryArena arena() {
    return arena;
  }

  /** The root; a caller that read its version must ask again whether it still is the root. */
  Node root() {
    return root;
  }

  /** Tries once to put an entry; false when a version moved, or after making room by a split. */
  private boolean tryPut(Slice key, Rectangle rectangle, int address) {
    Node parent = null;
    long parentVersion = 0;
    Node node = root;
    long version = node.stableVersion();
    if (node != root) {
      return false;
    }
    while (node.children != null) {
      int slot = search(node, version, key);
      if (slot == MOVED) {
        return false;
      }
      if (node.count == Node.FAN_OUT) {
        return makeRoom(parent, parentVersion, node, version);
      }
      int index = childIndex(slot);
      Node child = node.children[index];
      if (child == null) {
        return false;
      }
      if (!node.covers(index, rectangle)) {
        if (!node.tryLock(version)) {
          return false;
        }
        node.widen(index, rectangle);
        version = node.unlock();
      }
      long childVersion = child.stableVersion();
      if (!node.validate(version)) {
        return false;
      }
      parent = node;
      parentVersion = version;
      node = child;
      version = childVersion;
    }
    int slot = search(node, version, key);
    if (slot == MOVED) {
      return false;
    }
    if (slot < 0 && node.count == Node.FAN_OUT) {
      return makeRoom(parent, parentVersion, node, version);
    }
    if (!node.tryLock(version)) {
      return false;
    }
    if (slot >= 0) {
      node.addresses[slot] = address;
      node.unlock();
      return true;
    }
    boolean grew;
    try {
      grew = node.insert(~slot, key.head(), address, rectangle);
    } finally {
      node.unlock();
    }
    entries.getAndIncrement();
    if (grew) {
      nodeBytes.getAndAdd(Node.SECOND_CORNER_BYTES);
    }
    return true;
  }

  private int tryFind(Slice key) {
    Node node = root;
    long version = node.stableVersion();
    if (node != root) {
      return MOVED_ADDRESS;
    }
    while (node.children != null) {
      int slot = search(node, version, key);
      if (slot == MOVED) {
        return MOVED_ADDRESS;
      }
      Node child = node.children[childIndex(slot)];
      if (child == null) {
        return MOVED_ADDRESS;
      }
      long childVersion = child.stableVersion();
      if (!node.validate(version)) {
        return MOVED_ADDRESS;
      }
      node = child;
      version = childVersion;
    }
    int slot = search(node, version, key);
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
    long head = key.head();
    int slot = node.lowerBound(head);
    if (slot >= node.count || node.heads[slot] != head) {
      return ~slot;
    }
    return searchTies(node, version, key, slot);
  }

  private int searchTies(Node node, long version, Slice key, int first) {
    int low = first;
    int high = node.upperBound(key.head());
    while (low < high) {
      int middle = (low + high) >>> 1;
      int address = node.addresses[middle];
      // Only a validated address may be followed: its bytes happened before the version read.
      if (!node.validate(version)) {
        return MOVED;
      }
      int order = arena.compareAfterHead(address, key, 0);
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

  /** Splits a full node if neither it nor its parent, which has room, has changed; then over. */
  private boolean makeRoom(@Nullable Node parent, long parentVersion, Node node, long version) {
    if (parent != null && !parent.tryLock(parentVersion)) {
      return false;
    }
    try {
      if (node.tryLock(version)) {
        try {
          split(parent, node);
        } finally {
          node.unlock();
        }
      }
    } finally {
      if (parent != null) {
        parent.unlock();
      }
    }
    return false;
  }

  /** Splits a full node; it and its parent are locked. Allocates before it changes anything. */
  private void split(@Nullable Node parent, Node node) {
    assert parent != null || node == root;
    int at = Node.FAN_OUT / 2;
    long head = node.heads[at];
    int separator = node.addresses[at];
    Node right = new Node(node.level);
    Node above = parent == null ? new Node(node.level + 1) : parent;
    boolean rectangles = node.split(at, right);
    if (parent == null) {
      above.setOnlyChild(node);
    }
    above.insertChild(node, right, head, separator);
    if (parent == null) {
      root = above;
      nodeBytes.getAndAdd(Node.INTERIOR_BYTES);
    }
    nodeBytes.getAndAdd(node.level == 0 ? Node.LEAF_BYTES : Node.INTERIOR_BYTES);
    if (rectangles) {
      nodeBytes.getAndAdd(Node.SECOND_CORNER_BYTES);
    }
  }
}
