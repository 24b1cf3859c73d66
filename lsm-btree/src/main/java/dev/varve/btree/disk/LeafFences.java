package dev.varve.btree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The heads of the separators between all leaves of a tree, behind what they all begin with: finds
 * the leaf of nearly every key without a look at the interior pages, in two or three cache lines.
 *
 * <p>The heads are cut into about as many intervals of equal width as there are separators, and a
 * table says which separators lie in each. Keys that are spread evenly have one or two in each;
 * however they are spread, it is a binary search at worst.
 *
 * <p>The answer also says where in the leaf the key is expected, between the leaf's two fences. It
 * is right when keys are spread evenly there, and only a guess. Immutable and thread-safe.
 */
final class LeafFences {
  /** Result of a search for a key that only whole separators tell. */
  static final long TIED = -1;

  /** Bits of a position in a leaf: 0 is its beginning, {@code 1L << POSITION_BITS} its end. */
  static final int POSITION_BITS = 31;

  /** The middle of a leaf, the estimate when there is no better one. */
  static final long MIDDLE = 1L << (POSITION_BITS - 1);

  private static final double POSITIONS = 1L << POSITION_BITS;

  private final byte[] prefix;

  /** Number of separators. */
  private final int count;

  /**
   * For each leaf the head of the separator behind it and its page number, side by side, so that a
   * reader that found the one need not wait for the other. Before the first leaf stands the lowest
   * head, behind the last one the highest.
   */
  private final long[] pairs;

  /** First separator of each interval, and their number for what is behind the last, twice. */
  private final int[] intervals;

  /** Null when there is none. */
  private final @Nullable LeafModel model;

  /** Interval of a head: its distance from the first one, shifted by this. */
  private final int shift;

  /**
   * Fences of a tree.
   *
   * @param heads of the separators behind the prefix, ascending
   * @param leaves page numbers of all leaves in order, one more than separators
   */
  LeafFences(byte[] prefix, long[] heads, int[] leaves) {
    assert leaves.length == heads.length + 1;
    this.prefix = prefix;
    this.count = heads.length;
    this.model = LeafModel.of(heads, leaves);
    this.pairs = new long[2 + 2 * leaves.length];
    for (int i = 0; i < leaves.length; i++) {
      pairs[2 + 2 * i] = i < count ? heads[i] : -1L;
      pairs[3 + 2 * i] = leaves[i];
    }
    long width = count == 0 ? 0 : heads[count - 1] - heads[0];
    int widthBits = Long.SIZE - Long.numberOfLeadingZeros(width);
    int intervalBits = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(count | 1);
    this.shift = Math.min(Long.SIZE - 1, Math.max(0, widthBits - intervalBits));
    this.intervals = new int[(int) (width >>> shift) + 3];
    int interval = 0;
    for (int i = 0; i < count; i++) {
      while (interval <= interval(heads[i])) {
        intervals[interval++] = i;
      }
    }
    intervals[intervals.length - 2] = count;
    intervals[intervals.length - 1] = count;
  }

  /**
   * The interval of a head; of one before all separators the first. No branches: one that only keys
   * of the first or the last leaf take is taken too late for the compiler, which throws away all
   * that it made of a point read without it.
   */
  private int interval(long head) {
    long number = (head - head(0)) >>> shift;
    int last = intervals.length - 2;
    long isBehind = KeyPrefixes.onesIfBelow(last, number);
    return (int)
        (((number & ~isBehind) | (last & isBehind)) & ~KeyPrefixes.onesIfBelow(head, head(0)));
  }

  private long head(int separator) {
    return pairs[2 + 2 * separator];
  }

  /** Page number of a leaf. */
  int page(int leaf) {
    return (int) pairs[3 + 2 * leaf];
  }

  /**
   * Finds the leaf that holds a key if any does.
   *
   * @return its ordinal and the key's position in it, to be taken apart by {@link #leaf} and {@link
   *     #position}; or {@link #TIED}
   */
  long search(Slice key) {
    if (count == 0) {
      return found(0, MIDDLE);
    }
    int order = KeyPrefixes.compareWithPrefix(key, prefix, 0, prefix.length);
    if (order != 0) {
      return found(order < 0 ? 0 : count, MIDDLE);
    }
    long head = KeyPrefixes.head(key, prefix.length);
    int interval = interval(head);
    return searchBetween(head, intervals[interval], intervals[interval + 1]);
  }

  /**
   * The same for a key whose leaf, if it has one, does not come before another: looked for by steps
   * that double, in as many as the logarithm of the distance takes.
   */
  long searchFrom(Slice key, int leaf) {
    if (leaf == 0 || leaf >= count) {
      return search(key);
    }
    if (KeyPrefixes.compareWithPrefix(key, prefix, 0, prefix.length) != 0) {
      return search(key);
    }
    long head = KeyPrefixes.head(key, prefix.length);
    int low = leaf - 1;
    int step = 1;
    int high = leaf;
    while (high < count && Long.compareUnsigned(head(high), head) < 0) {
      low = high + 1;
      high += step;
      step <<= 1;
    }
    return searchBetween(head, low, Math.min(high, count));
  }

  /** The first separator from one to another whose head is at or above a head, or the other. */
  private long searchBetween(long head, int from, int to) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(head(middle), head) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return head(low) == head ? TIED : found(low, position(head, head(low - 1), head(low)));
  }

  /**
   * The page number of a leaf near the one that holds a key, if the key has what all separators
   * begin with; 0 when that would take longer to say. Asked before a search, it has the processor
   * fetch what that looks at, and waits for nothing.
   */
  int pageNear(Slice key) {
    int length = prefix.length;
    if (count == 0 || key.length() < length) {
      return 0;
    }
    return page(intervals[interval(KeyPrefixes.head(key, length))]);
  }

  /**
   * Where a key is expected, for one wait less than {@link #search} takes.
   *
   * @return what {@link LeafModel#estimate} returns
   */
  long estimate(Slice key) {
    if (model == null
        || (prefix.length > 0
            && KeyPrefixes.compareWithPrefix(key, prefix, 0, prefix.length) != 0)) {
      return LeafModel.NONE;
    }
    return model.estimate(KeyPrefixes.head(key, prefix.length));
  }

  /** Has the processor fetch what {@link #estimate} looks at. */
  int touchEstimate(Slice key) {
    int at = prefix.length;
    // A shorter key would take a loop, and its head be read by bytes.
    return model == null || key.length() < at + Long.BYTES
        ? 0
        : model.prefetch(Bytes.getLongBigEndian(key.bytes(), key.offset() + at));
  }

  /** The ordinal of the leaf that a search found. */
  static int leaf(long found) {
    return (int) (found >>> POSITION_BITS);
  }

  /** The position in the leaf that a search found, below {@code 1L << POSITION_BITS}. */
  static long position(long found) {
    return found & (1L << POSITION_BITS) - 1;
  }

  /** A leaf and a position as one number. */
  static long found(int leaf, long position) {
    return (long) leaf << POSITION_BITS | position;
  }

  /** Where a head lies between two others, one of which may be the same. */
  private static long position(long head, long low, long high) {
    // Both distances halved: unsigned numbers that are converted as signed ones.
    double part = ((head - low) >>> 1) / (((high - low) >>> 1) + 1.0);
    return Math.min((long) (part * POSITIONS), (1L << POSITION_BITS) - 1);
  }

  /** Collects leaves, and the separators between them, both in order. */
  static final class Builder {
    /** Most bytes that are looked at for what all separators begin with. */
    private static final int LONGEST_PREFIX = 64;

    private static final int KEPT = LONGEST_PREFIX + Long.BYTES;

    private byte[] bytes = new byte[1 << 10];
    private int[] ends = new int[1 << 6];
    private int count;
    private int[] leaves = new int[1 << 6];
    private int leafCount;

    /** Adds the page number of the next leaf. */
    void addLeaf(int pageNumber) {
      if (leafCount == leaves.length) {
        leaves = Arrays.copyOf(leaves, 2 * leafCount);
      }
      leaves[leafCount++] = pageNumber;
    }

    /** Adds the next separator; false when it is below the one before. */
    boolean add(byte[] separator) {
      int start = count == 0 ? 0 : ends[count - 1];
      int length = Math.min(separator.length, KEPT);
      if (count == ends.length) {
        ends = Arrays.copyOf(ends, 2 * count);
      }
      if (start + length > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, start + length));
      }
      System.arraycopy(separator, 0, bytes, start, length);
      ends[count++] = start + length;
      int before = count < 3 ? 0 : ends[count - 3];
      return count < 2 || Bytes.compare(bytes, before, start - before, bytes, start, length) <= 0;
    }

    LeafFences build() {
      int[] pages = Arrays.copyOf(leaves, leafCount);
      if (count == 0) {
        return new LeafFences(Bytes.EMPTY, new long[0], pages);
      }
      int last = count == 1 ? 0 : ends[count - 2];
      int mismatch = Arrays.mismatch(bytes, 0, ends[0], bytes, last, ends[count - 1]);
      int shared = Math.min(LONGEST_PREFIX, mismatch < 0 ? ends[0] : mismatch);
      long[] heads = new long[count];
      for (int i = 0, start = 0; i < count; start = ends[i++]) {
        heads[i] = Bytes.head(bytes, start + shared, ends[i] - start - shared);
      }
      return new LeafFences(Arrays.copyOf(bytes, shared), heads, pages);
    }
  }
}
