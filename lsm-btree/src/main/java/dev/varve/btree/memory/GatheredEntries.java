package dev.varve.btree.memory;

import java.util.Arrays;

/**
 * Entries of an arena that are not in its tree yet, in the order in which they came. Put into the
 * tree in the order of their keys, each finds the nodes that it needs in the processor's caches,
 * and leaves are filled from one end to the other. Confined to one thread.
 */
final class GatheredEntries {
  /** Heap that an entry takes here, and in the tree's nodes afterwards, rounded up. */
  static final int BYTES = 32;

  private static final int FEW = 1 << 10;

  private int[] addresses = new int[FEW];

  /** The first bytes of the keys. */
  private long[] heads = new long[FEW];

  private int count;

  /** The bits in which heads differ from the first one. */
  private long differing;

  void add(int address, long head) {
    if (count == addresses.length) {
      addresses = Arrays.copyOf(addresses, 2 * count);
      heads = Arrays.copyOf(heads, 2 * count);
    }
    addresses[count] = address;
    heads[count] = head;
    differing |= head ^ heads[0];
    count++;
  }

  /**
   * Their addresses in the order of the first bits in which keys differ, as many as fit into a long
   * beside a number. Keys that are equal stay as they came, so that the last one counts; those that
   * differ further behind may be in any order. Called once, after which nothing is added.
   */
  int[] inOrder(EntryArena arena) {
    if (differing == 0) {
      readHeadsBehindPrefix(arena);
    }
    int equalBits = Math.min(Long.numberOfLeadingZeros(differing), Long.SIZE - 1);
    int numberBits = Integer.SIZE - Integer.numberOfLeadingZeros(count);
    long[] order = heads;
    for (int i = 0; i < count; i++) {
      order[i] = Node.signed(heads[i] << equalBits) >> numberBits << numberBits | i;
    }
    Arrays.parallelSort(order, 0, count);
    int[] sorted = new int[count];
    for (int i = 0; i < count; i++) {
      sorted[i] = addresses[(int) (order[i] & (1L << numberBits) - 1)];
    }
    return sorted;
  }

  private void readHeadsBehindPrefix(EntryArena arena) {
    int common = Integer.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      common = Math.min(common, arena.commonPrefix(addresses[0], addresses[i]));
    }
    for (int i = 0; i < count; i++) {
      heads[i] = arena.head(addresses[i], common);
      differing |= heads[i] ^ heads[0];
    }
  }
}
