package dev.varve.btree.memory;

import static dev.varve.btree.memory.ArenaLayout.NO_ADDRESS;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A node of a memory tree: a leaf when it has no children. Slot {@code i} holds the head and the
 * arena address of a key; in an interior node the keys are separators, and child {@code i} holds
 * the keys from separator {@code i - 1}, included, to separator {@code i}.
 *
 * <p>KeyPrefixes are kept as {@link #signed} numbers, which the processor compares without a step
 * more. Those behind the last slot are the highest there is, so that a search need not know the
 * count.
 *
 * <p>Indices stay within the arrays even in a torn view, because a count never exceeds the fan-out.
 *
 * <p>Fences: every key that is or will be in the node lies in {@code [lowFence, highFence)}. Fences
 * are only ever narrowed, by a split, so all keys share the first {@code skip} bytes, and heads are
 * taken after them. Nodes are split but never merged or removed, so a node once reached stays part
 * of the tree.
 */
final class Node extends VersionedNode {
  /** Keys in a full node. */
  static final int FAN_OUT = 96;

  /**
   * Slots that a search looks at together, once it knows that the answer is among them: as many as
   * a cache line has heads. Divides the fan-out.
   */
  private static final int BLOCK = 8;

  /** The head of a slot that holds nothing. */
  private static final long NO_HEAD = Long.MAX_VALUE;

  /** Heap bytes of a leaf: the object, eight bytes a head, four an address, array headers. */
  static final int LEAF_BYTES = 56 + 16 + Long.BYTES * FAN_OUT + 16 + Integer.BYTES * FAN_OUT;

  /**
   * Heap bytes of an interior node, with compressed references. The array of its children's heads,
   * 404 bytes, is not counted.
   */
  static final int INTERIOR_BYTES = LEAF_BYTES + 16 + Integer.BYTES * (FAN_OUT + 1);

  final long[] heads = new long[FAN_OUT];
  final int[] addresses = new int[FAN_OUT];
  final @Nullable Node @Nullable [] children;

  /**
   * The heads of each child, so that they are fetched from memory together with the child itself
   * and not after it; null in a leaf.
   */
  private final long @Nullable [] @Nullable [] childHeads;

  int count;
  int skip;
  int lowFence = NO_ADDRESS;
  int highFence = NO_ADDRESS;

  private Node(@Nullable Node @Nullable [] children, long @Nullable [] @Nullable [] childHeads) {
    this.children = children;
    this.childHeads = childHeads;
    Arrays.fill(heads, NO_HEAD);
  }

  static Node leaf() {
    return new Node(null, null);
  }

  static Node interior() {
    return new Node(new Node[FAN_OUT + 1], new long[FAN_OUT + 1][]);
  }

  /** A head as a number whose signed order is the order of heads. */
  static long signed(long head) {
    return head + Long.MIN_VALUE;
  }

  /** The heads of a child; null only in a torn view. */
  long @Nullable [] childHeads(int child) {
    return Objects.requireNonNull(childHeads)[child];
  }

  /** Makes room at a slot and fills it; the holder of the lock calls this on a node with room. */
  void insert(int slot, long head, int address) {
    assert count < FAN_OUT;
    System.arraycopy(heads, slot, heads, slot + 1, count - slot);
    System.arraycopy(addresses, slot, addresses, slot + 1, count - slot);
    heads[slot] = head;
    addresses[slot] = address;
    count++;
  }

  /** Makes a node the only child of a new interior node. */
  void setOnlyChild(Node child) {
    assert count == 0;
    Objects.requireNonNull(children)[0] = child;
    Objects.requireNonNull(childHeads)[0] = child.heads;
  }

  /** Inserts a child to the right of another one; the holder of the lock calls this. */
  void insertChild(Node left, Node right, long head, int separator) {
    @Nullable Node[] nodes = Objects.requireNonNull(children);
    long @Nullable [][] nodesHeads = Objects.requireNonNull(childHeads);
    int slot = 0;
    while (nodes[slot] != left) {
      slot++;
    }
    System.arraycopy(nodes, slot + 1, nodes, slot + 2, count - slot);
    System.arraycopy(nodesHeads, slot + 1, nodesHeads, slot + 2, count - slot);
    nodes[slot + 1] = right;
    nodesHeads[slot + 1] = right.heads;
    insert(slot, head, separator);
  }

  /**
   * Keeps the slots below {@code at} and moves the others to a new node, which takes over the upper
   * fence. Of an interior node the slot itself moves up, and is in neither.
   *
   * @param separator address of the first key that belongs to the new node
   */
  void moveUpper(int at, Node right, int separator) {
    int from = children == null ? at : at + 1;
    int moved = count - from;
    System.arraycopy(heads, from, right.heads, 0, moved);
    System.arraycopy(addresses, from, right.addresses, 0, moved);
    if (children != null && right.children != null) {
      System.arraycopy(children, from, right.children, 0, moved + 1);
    }
    if (childHeads != null && right.childHeads != null) {
      System.arraycopy(childHeads, from, right.childHeads, 0, moved + 1);
    }
    Arrays.fill(heads, at, count, NO_HEAD);
    count = at;
    right.count = moved;
    right.skip = skip;
    right.lowFence = separator;
    right.highFence = highFence;
    highFence = separator;
  }

  /**
   * Takes heads from further right when the narrowed fences share more bytes and the heads tell too
   * few keys apart to be worth having.
   */
  void refreshHeads(EntryArena arena) {
    if (lowFence == NO_ADDRESS || highFence == NO_ADDRESS) {
      return;
    }
    int ties = 0;
    for (int i = 1; i < count; i++) {
      ties += heads[i - 1] == heads[i] ? 1 : 0;
    }
    if (ties * 8 < count) {
      return;
    }
    int shared = arena.commonPrefix(lowFence, highFence);
    if (shared <= skip) {
      return;
    }
    skip = shared;
    for (int i = 0; i < count; i++) {
      heads[i] = signed(arena.head(addresses[i], shared));
    }
  }

  /**
   * The first slot whose head is at or above a head: first among the last heads of all blocks, then
   * in one block. Neither step depends on what it reads, so that one wait for memory is enough for
   * each, where a binary search would wait for one head after the other; and neither depends on the
   * count, so that nothing has to be foreseen.
   */
  static int lowerBound(long[] heads, long head) {
    int base = 0;
    for (int last = BLOCK - 1; last < FAN_OUT - BLOCK; last += BLOCK) {
      base += heads[last] < head ? BLOCK : 0;
    }
    int slot = base;
    for (int i = 0; i < BLOCK; i++) {
      slot += heads[base + i] < head ? 1 : 0;
    }
    return slot;
  }

  /** The first slot whose head is above a head. */
  static int upperBound(long[] heads, int count, long head) {
    return head == NO_HEAD ? count : lowerBound(heads, head + 1);
  }
}
