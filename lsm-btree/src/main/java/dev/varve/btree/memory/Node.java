package dev.varve.btree.memory;

import static dev.varve.btree.memory.ArenaLayout.NO_ADDRESS;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A node of a memory tree: a leaf when it has no children. Slot {@code i} holds the head and the
 * arena address of a key; in an interior node the keys are separators, and child {@code i} holds
 * the keys from separator {@code i - 1}, included, to separator {@code i}.
 *
 * <p>Version protocol, as {@code StampedLock}'s: the version is even when the node is stable and
 * odd while a writer changes it.
 *
 * <ol>
 *   <li>A reader takes {@link #stableVersion}, reads plain fields, and trusts nothing of what it
 *       read, not even enough to follow an address, until {@link #validate} said yes. Indices stay
 *       within the arrays even in a torn view, because a count never exceeds the fan-out.
 *   <li>A writer moves the version it read from even to odd with {@link #tryLock}, which fails when
 *       anything changed since, and back to the next even number with {@link #unlock}.
 *   <li>An acquire fence before the second look at the version keeps the reads before it; a store
 *       fence after locking keeps the writes after it. So a reader who saw any write of a writer
 *       sees that the version moved, and one who validated is ordered after the last unlock.
 * </ol>
 *
 * Fences: every key that is or will be in the node lies in {@code [lowFence, highFence)}. Fences
 * are only ever narrowed, by a split, so all keys share the first {@code skip} bytes, and heads are
 * taken after them. Nodes are split but never merged or removed, so a node once reached stays part
 * of the tree.
 */
final class Node {
  /** Keys in a full node. */
  static final int FAN_OUT = 96;

  /** Heap bytes of a leaf: the object, eight bytes a head, four an address, array headers. */
  static final int LEAF_BYTES = 56 + 16 + Long.BYTES * FAN_OUT + 16 + Integer.BYTES * FAN_OUT;

  /** Heap bytes of an interior node, with compressed references. */
  static final int INTERIOR_BYTES = LEAF_BYTES + 16 + Integer.BYTES * (FAN_OUT + 1);

  private static final VarHandle VERSION;

  static {
    try {
      VERSION = MethodHandles.lookup().findVarHandle(Node.class, "version", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Spins on a locked node before the processor is offered to others. */
  private static final int SPINS = 64;

  final long[] heads = new long[FAN_OUT];
  final int[] addresses = new int[FAN_OUT];
  final @Nullable Node @Nullable [] children;

  int count;
  int skip;
  int lowFence = NO_ADDRESS;
  int highFence = NO_ADDRESS;

  private long version;

  private Node(@Nullable Node @Nullable [] children) {
    this.children = children;
  }

  static Node leaf() {
    return new Node(null);
  }

  static Node interior() {
    return new Node(new Node[FAN_OUT + 1]);
  }

  /** Waits until no writer is in the node, and returns the version from which to read. */
  // A lock is held for well under a microsecond, unless its holder lost the processor: then giving
  // ours up is the fastest way to have it released. Progress does not depend on it.
  @SuppressWarnings("ThreadPriorityCheck")
  long stableVersion() {
    int spins = 0;
    while (true) {
      long seen = (long) VERSION.getAcquire(this);
      if ((seen & 1) == 0) {
        return seen;
      }
      if (++spins % SPINS == 0) {
        Thread.yield();
      } else {
        Thread.onSpinWait();
      }
    }
  }

  /** Whether everything that was read since the version was taken belongs together. */
  boolean validate(long seen) {
    VarHandle.acquireFence();
    return (long) VERSION.getOpaque(this) == seen;
  }

  /** Locks the node if its version is still the one that was read. */
  boolean tryLock(long seen) {
    if (!VERSION.compareAndSet(this, seen, seen + 1)) {
      return false;
    }
    VarHandle.storeStoreFence();
    return true;
  }

  void unlock() {
    assert (version & 1) != 0;
    VERSION.setRelease(this, version + 1);
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
  }

  /** Inserts a child to the right of another one; the holder of the lock calls this. */
  void insertChild(Node left, Node right, long head, int separator) {
    @Nullable Node[] nodes = Objects.requireNonNull(children);
    int slot = 0;
    while (nodes[slot] != left) {
      slot++;
    }
    System.arraycopy(nodes, slot + 1, nodes, slot + 2, count - slot);
    nodes[slot + 1] = right;
    insert(slot, head, separator);
  }

  /**
   * Moves the slots from {@code from} on to a new node, which takes over the upper fence.
   *
   * @param separator address of the first key that belongs to the new node
   */
  void moveUpper(int from, Node right, int separator) {
    int moved = count - from;
    System.arraycopy(heads, from, right.heads, 0, moved);
    System.arraycopy(addresses, from, right.addresses, 0, moved);
    if (children != null && right.children != null) {
      System.arraycopy(children, from, right.children, 0, moved + 1);
    }
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
      heads[i] = arena.head(addresses[i], shared);
    }
  }

  /** The first slot whose head is at or above a head. */
  static int lowerBound(long[] heads, int count, long head) {
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
  static int upperBound(long[] heads, int count, long head) {
    return head == -1L ? count : lowerBound(heads, count, head + 1);
  }
}
