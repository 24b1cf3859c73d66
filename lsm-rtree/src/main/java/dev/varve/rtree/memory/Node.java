package dev.varve.rtree.memory;

import static dev.varve.btree.memory.EntryArena.NO_ADDRESS;

import dev.varve.btree.memory.VersionedNode;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.query.RegionQuery;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A node of a memory R-tree. Slot {@code i} holds the position on the curve (a key's first eight
 * bytes) and the arena address of a key; in an interior node the keys are separators, and child
 * {@code i} holds the keys from separator {@code i - 1}, included, to separator {@code i}. Box
 * {@code i} is that of the entry in slot {@code i} of a leaf, and in an interior node one that all
 * entries below child {@code i} lie in. A leaf whose entries are all points uses one pair of arrays
 * for both corners.
 *
 * <p>Fences are those of the memory B+-tree ({@code dev.varve.btree.memory.Node}): a reader trusts
 * nothing that it read, not even enough to follow an address, until {@link #validate} said yes;
 * nodes are split but never merged or removed, so a node once reached stays part of the tree; its
 * high fence is only ever lowered.
 *
 * <p>Boxes: a writer widens the boxes on its way down before it goes on, and a split takes the
 * boxes of both halves from what they hold. A writer that is under way below a node that is split
 * has read a version that moves, so it starts over and widens again. So at any moment the boxes
 * above a leaf contain every entry that is in the leaf.
 */
final class Node extends VersionedNode {
  /** Keys in a full node. */
  static final int FAN_OUT = 64;

  private static final int HEADER_BYTES = 16;

  /** Heap bytes of a leaf of points: the object, and eight bytes a head and coordinate. */
  static final int LEAF_BYTES = 80 + 4 * HEADER_BYTES + FAN_OUT * (3 * Long.BYTES + Integer.BYTES);

  /** Heap bytes that a leaf needs more once not all of its entries are points. */
  static final int SECOND_CORNER_BYTES = 2 * (HEADER_BYTES + FAN_OUT * Double.BYTES);

  /** Heap bytes of an interior node, with compressed references. */
  static final int INTERIOR_BYTES =
      LEAF_BYTES + SECOND_CORNER_BYTES + HEADER_BYTES + Integer.BYTES * (FAN_OUT + 1);

  /** 0 for a leaf, else one more than the children's. */
  final int level;

  final long[] heads = new long[FAN_OUT];
  final int[] addresses = new int[FAN_OUT];

  /** Null in a leaf. */
  final @Nullable Node @Nullable [] children;

  final double[] minX;
  final double[] minY;

  /** The same array as for the lowest coordinate while a leaf holds only points. */
  double[] maxX;

  double[] maxY;

  int count;
  int lowFence = NO_ADDRESS;
  int highFence = NO_ADDRESS;

  Node(int level) {
    this.level = level;
    int boxes = level == 0 ? FAN_OUT : FAN_OUT + 1;
    this.children = level == 0 ? null : new Node[boxes];
    this.minX = new double[boxes];
    this.minY = new double[boxes];
    this.maxX = level == 0 ? minX : new double[boxes];
    this.maxY = level == 0 ? minY : new double[boxes];
  }

  // ---- Reading, under a version ----------------------------------------------------------------

  /** The first slot whose head is at or above a head. */
  int lowerBound(long head) {
    long biased = head + Long.MIN_VALUE;
    int base = 0;
    int length = count;
    while (length > 1) {
      int half = length >>> 1;
      base = heads[base + half - 1] + Long.MIN_VALUE < biased ? base + half : base;
      length -= half;
    }
    return length == 1 && heads[base] + Long.MIN_VALUE < biased ? base + 1 : base;
  }

  /** The first slot whose head is above a head. */
  int upperBound(long head) {
    return head == -1L ? count : lowerBound(head + 1);
  }

  /** Whether a box contains a rectangle. */
  boolean covers(int box, Rectangle rectangle) {
    return minX[box] <= rectangle.minX()
        && minY[box] <= rectangle.minY()
        && maxX[box] >= rectangle.maxX()
        && maxY[box] >= rectangle.maxY();
  }

  /** Whether a box and the window of a query intersect. */
  boolean intersects(int box, RegionQuery query) {
    return minX[box] <= query.maxX()
        && minY[box] <= query.maxY()
        && maxX[box] >= query.minX()
        && maxY[box] >= query.minY();
  }

  /**
   * Collects the slots of a leaf's entries that intersect a window. The loop has no branch that
   * depends on data: differences that are negative say no by their sign.
   */
  int intersecting(RegionQuery query, int[] slots) {
    double lowX = query.minX();
    double lowY = query.minY();
    double highX = query.maxX();
    double highY = query.maxY();
    double[] secondX = maxX;
    double[] secondY = maxY;
    int limit = count;
    int found = 0;
    for (int slot = 0; slot < limit; slot++) {
      long outside =
          Double.doubleToRawLongBits(secondX[slot] - lowX)
              | Double.doubleToRawLongBits(highX - minX[slot])
              | Double.doubleToRawLongBits(secondY[slot] - lowY)
              | Double.doubleToRawLongBits(highY - minY[slot]);
      slots[found] = slot;
      found += (int) (~outside >>> 63);
    }
    return found;
  }

  // ---- Writing, by the holder of the lock ------------------------------------------------------

  /** Makes a box wide enough for a rectangle. */
  void widen(int box, Rectangle rectangle) {
    minX[box] = Math.min(minX[box], rectangle.minX());
    minY[box] = Math.min(minY[box], rectangle.minY());
    maxX[box] = Math.max(maxX[box], rectangle.maxX());
    maxY[box] = Math.max(maxY[box], rectangle.maxY());
  }

  /** Makes room in a leaf that has room, and fills it; true when the leaf grew by corners. */
  boolean insert(int slot, long head, int address, Rectangle rectangle) {
    assert level == 0;
    assert count < FAN_OUT;
    boolean grows = maxX == minX && !rectangle.isPoint();
    if (grows) {
      separateCorners();
    }
    System.arraycopy(heads, slot, heads, slot + 1, count - slot);
    System.arraycopy(addresses, slot, addresses, slot + 1, count - slot);
    heads[slot] = head;
    addresses[slot] = address;
    shiftBoxes(slot, count - slot);
    minX[slot] = rectangle.minX();
    minY[slot] = rectangle.minY();
    maxX[slot] = rectangle.maxX();
    maxY[slot] = rectangle.maxY();
    count++;
    return grows;
  }

  private void separateCorners() {
    double[] secondX = minX.clone();
    double[] secondY = minY.clone();
    maxX = secondX;
    maxY = secondY;
  }

  private void shiftBoxes(int from, int moved) {
    System.arraycopy(minX, from, minX, from + 1, moved);
    System.arraycopy(minY, from, minY, from + 1, moved);
    if (maxX != minX) {
      System.arraycopy(maxX, from, maxX, from + 1, moved);
      System.arraycopy(maxY, from, maxY, from + 1, moved);
    }
  }

  /** Makes a node the only child of a new interior node. */
  void setOnlyChild(Node child) {
    assert count == 0;
    Objects.requireNonNull(children)[0] = child;
  }

  /** Inserts a child to the right of the one that it was split from. */
  void insertChild(Node left, Node right, long head, int separator) {
    @Nullable Node[] nodes = Objects.requireNonNull(children);
    int slot = 0;
    while (nodes[slot] != left) {
      slot++;
    }
    System.arraycopy(nodes, slot + 1, nodes, slot + 2, count - slot);
    System.arraycopy(heads, slot, heads, slot + 1, count - slot);
    System.arraycopy(addresses, slot, addresses, slot + 1, count - slot);
    nodes[slot + 1] = right;
    heads[slot] = head;
    addresses[slot] = separator;
    shiftBoxes(slot, count + 1 - slot);
    count++;
    setBox(slot, left);
    setBox(slot + 1, right);
  }

  /** Makes a box the bounds of what a child holds. */
  private void setBox(int box, Node child) {
    int boxes = child.level == 0 ? child.count : child.count + 1;
    double lowX = Double.POSITIVE_INFINITY;
    double lowY = Double.POSITIVE_INFINITY;
    double highX = Double.NEGATIVE_INFINITY;
    double highY = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < boxes; i++) {
      lowX = Math.min(lowX, child.minX[i]);
      lowY = Math.min(lowY, child.minY[i]);
      highX = Math.max(highX, child.maxX[i]);
      highY = Math.max(highY, child.maxY[i]);
    }
    minX[box] = lowX;
    minY[box] = lowY;
    maxX[box] = highX;
    maxY[box] = highY;
  }

  /**
   * Moves the upper half of this full node to a new one.
   *
   * @param at the first slot of a leaf that moves, or the slot of the separator that moves up
   * @return whether the new node is larger than a leaf of points
   */
  boolean split(int at, Node right) {
    assert count == FAN_OUT;
    int separator = addresses[at];
    int from = level == 0 ? at : at + 1;
    int moved = count - from;
    int boxes = level == 0 ? moved : moved + 1;
    boolean grows = level == 0 && maxX != minX;
    if (grows) {
      right.separateCorners();
    }
    System.arraycopy(heads, from, right.heads, 0, moved);
    System.arraycopy(addresses, from, right.addresses, 0, moved);
    System.arraycopy(minX, from, right.minX, 0, boxes);
    System.arraycopy(minY, from, right.minY, 0, boxes);
    System.arraycopy(maxX, from, right.maxX, 0, boxes);
    System.arraycopy(maxY, from, right.maxY, 0, boxes);
    if (children != null && right.children != null) {
      System.arraycopy(children, from, right.children, 0, boxes);
    }
    right.count = moved;
    right.lowFence = separator;
    right.highFence = highFence;
    highFence = separator;
    count = at;
    return grows;
  }
}
