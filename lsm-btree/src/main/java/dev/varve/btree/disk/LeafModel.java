package dev.varve.btree.disk;

import org.jspecify.annotations.Nullable;

/**
 * Where in a tree's file a key is expected: the page of its leaf and how far into that, as a
 * function of the key's head that is linear piece by piece. It takes one look at two numbers that
 * lie side by side, where a search of {@link LeafFences} waits for an interval first and for
 * separators then. But it is only an estimate: whoever goes by it has to see from the page whether
 * it was right. Any leaf within a tree's pages is the tree's, so one that has keys on both sides of
 * the key decides.
 *
 * <p>The heads from the first separator to the last are cut into intervals of equal width, one to
 * four for each leaf. At each border the model has the place that lies there if keys are spread
 * evenly within each leaf; between borders it is a straight line. An interval in which that line
 * passes a separator too far off is marked and has no estimates, so keys that are spread unevenly
 * get few, and hardly a wrong one. Pages that are no leaves, and leaves of many units, are such
 * places, too. Immutable and thread-safe.
 */
final class LeafModel {
  /** No estimate. */
  static final long NONE = -1;

  /**
   * How far from a separator the line may pass, as a part of a leaf: one of so many. That part of
   * the keys beside the separator is looked for in the wrong leaf first, which costs more than a
   * search without an estimate; a smaller tolerance would leave more keys without one.
   */
  private static final int TOLERANCE = 8;

  /**
   * Added to each estimate, as a part of a leaf: one of so many. Without it rounding down would
   * place the first key of each leaf at the end of the leaf before; the last key of a leaf is
   * further from its border.
   */
  private static final int AHEAD = 128;

  /** Bits of a rank: a page number, less the first leaf's, and behind it a fraction. */
  private static final int RANK_BITS = 30;

  /** Fewer bits of a fraction would say too little. */
  private static final int FEWEST_FRACTION_BITS = 7;

  /** Bits of a distance from the border before. */
  private static final int WITHIN_BITS = 16;

  /** In the rank at an interval's lower border: there are no estimates. Also no rank. */
  private static final int MARK = Integer.MIN_VALUE;

  /** Head of the first separator. */
  private final long base;

  /** Distance of the last separator's head from it, unsigned. */
  private final long width;

  /** Shift that brings the width's first bit to the front. */
  private final int scale;

  /** Shift that makes a scaled distance the number of its interval. */
  private final int shift;

  /** Page number of the first leaf. */
  private final int firstPage;

  private final int fractionBits;

  /** The rank at each border of an interval. */
  private final int[] ranks;

  private LeafModel(long[] heads, int[] leaves, int fractionBits) {
    int last = heads.length - 1;
    this.base = heads[0];
    this.width = heads[last] - base;
    this.scale = Long.numberOfLeadingZeros(width);
    this.shift = Long.SIZE - 1 - (Integer.SIZE - Integer.numberOfLeadingZeros(last));
    this.firstPage = leaves[0];
    this.fractionBits = fractionBits;
    this.ranks = new int[interval(width) + 2];
    int leaf = 0;
    for (int border = 0; border < ranks.length; border++) {
      // The highest distance of all stands for the border behind the last interval.
      long scaled = border == ranks.length - 1 ? -1L : (long) border << shift;
      long distance = scaled >>> scale;
      while (leaf < last && Long.compareUnsigned(heads[leaf] - base, distance) <= 0) {
        leaf++;
      }
      double low = leaf == 0 ? 0 : unsigned(heads[leaf - 1] - base);
      double part = (unsigned(distance) - low) / (unsigned(heads[leaf] - base) - low);
      ranks[border] = rank(leaves[leaf], leaf == 0 || !(part < 1) ? 1 : part);
    }
    for (int i = 0; i <= last; i++) {
      markUnless(heads[i], rank(leaves[i + 1], 0));
      if (i > 0) {
        markUnless(heads[i] - 1, rank(leaves[i], 1));
      }
    }
  }

  /**
   * The model of a tree.
   *
   * @param heads of the separators behind what all of them begin with, ascending
   * @param leaves page numbers of all leaves in order, one more than separators
   * @return null when the tree is too small to need one, or too large for one
   */
  static @Nullable LeafModel of(long[] heads, int[] leaves) {
    if (heads.length < 2 || heads[0] == heads[heads.length - 1]) {
      return null;
    }
    int pages = leaves[leaves.length - 1] - leaves[0] + 1;
    int fractionBits = RANK_BITS - (Integer.SIZE - Integer.numberOfLeadingZeros(pages));
    return fractionBits < FEWEST_FRACTION_BITS ? null : new LeafModel(heads, leaves, fractionBits);
  }

  /**
   * Where a key is expected.
   *
   * @param head of the key, behind what all separators begin with
   * @return page number and position, to be taken apart by {@link LeafFences#leaf} and {@link
   *     LeafFences#position}; or {@link #NONE}
   */
  long estimate(long head) {
    int rank = estimatedRank(head);
    if (rank < 0) {
      return NONE;
    }
    rank += (1 << fractionBits) / AHEAD;
    long fraction = rank & ((1 << fractionBits) - 1);
    return LeafFences.found(
        firstPage + (rank >>> fractionBits), fraction << (LeafFences.POSITION_BITS - fractionBits));
  }

  /** Reads what an estimate looks at: a number that depends on it. */
  int prefetch(long head) {
    return ranks[interval(head - base)];
  }

  /** The interval of a distance; of one above the width the first. */
  private int interval(long distance) {
    return (int) (((distance << scale) >>> shift) & ~KeyPrefixes.onesIfBelow(width, distance));
  }

  /** A rank, or a negative number. */
  private int estimatedRank(long head) {
    long distance = head - base;
    int interval = interval(distance);
    int low = ranks[interval] | ((int) KeyPrefixes.onesIfBelow(width, distance) & MARK);
    if (low < 0) {
      return low;
    }
    int high = ranks[interval + 1] & ~MARK;
    long scaled = distance << scale;
    long within = (scaled >>> (shift - WITHIN_BITS)) & ((1 << WITHIN_BITS) - 1);
    return low + (int) (((high - low) * within) >> WITHIN_BITS);
  }

  /** Marks the interval of a head if its estimate is off. */
  private void markUnless(long head, int rank) {
    int estimated = estimatedRank(head);
    if (estimated >= 0 && Math.abs(estimated - rank) > (1 << fractionBits) / TOLERANCE) {
      ranks[interval(head - base)] |= MARK;
    }
  }

  private int rank(int page, double part) {
    return ((page - firstPage) << fractionBits) + (int) (part * (1 << fractionBits));
  }

  private static double unsigned(long number) {
    return 2.0 * (number >>> 1) + (number & 1);
  }
}
