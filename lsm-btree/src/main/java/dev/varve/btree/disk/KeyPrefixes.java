package dev.varve.btree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;

/** Search among the key heads and behind the prefix of a page; the same in leaves and above. */
final class KeyPrefixes {
  /** Slots on either side of an expected one that are searched before all others. */
  static final int NEAR = 8;

  private KeyPrefixes() {}

  /**
   * Where a key lies relative to all keys that start with a prefix.
   *
   * @return 0 when the key itself starts with it, else which way the key lies
   */
  static int compareWithPrefix(Slice key, byte[] page, int prefixAt, int prefixLength) {
    // A key that ends within the prefix is below it, or differs before.
    int length = Math.min(key.length(), prefixLength);
    return Bytes.compare(key.bytes(), key.offset(), length, page, prefixAt, prefixLength);
  }

  /** The head of a key's rest after a prefix that it starts with. */
  static long head(Slice key, int prefixLength) {
    return Bytes.head(key.bytes(), key.offset() + prefixLength, key.length() - prefixLength);
  }

  /** The first slot whose head is at or above a head. */
  static int lowerBound(byte[] page, int headsAt, int count, long head) {
    return lowerBound(page, headsAt, Long.BYTES, 0, count, head);
  }

  /** The first slot whose head is above a head. */
  static int upperBound(byte[] page, int headsAt, int count, long head) {
    return head == -1L ? count : lowerBound(page, headsAt, count, head + 1);
  }

  /**
   * The first slot whose head is at or above a head, from a guess. A right guess costs one wait for
   * memory: the two ends and the middle of its neighbourhood are read at the same time.
   *
   * @param stride bytes from one head to the next
   */
  static int lowerBoundNear(byte[] page, int headsAt, int stride, int count, long head, int near) {
    long biased = head + Long.MIN_VALUE;
    int low = Math.max(0, near - NEAR);
    int high = Math.min(count, near + NEAR);
    if (low > 0 && biasedHead(page, headsAt + stride * (low - 1)) >= biased) {
      high = low - 1;
      low = 0;
    } else if (high < count && biasedHead(page, headsAt + stride * high) < biased) {
      low = high + 1;
      high = count;
    }
    return lowerBound(page, headsAt, stride, low, high, head);
  }

  private static int lowerBound(byte[] page, int headsAt, int stride, int from, int to, long head) {
    long biased = head + Long.MIN_VALUE;
    int base = from;
    int length = to - from;
    while (length > 0) {
      int half = (length + 1) >>> 1;
      base = biasedHead(page, headsAt + stride * (base + half - 1)) < biased ? base + half : base;
      length -= half;
    }
    return base;
  }

  /** All ones when a number is below another, both unsigned, else zero; without a branch. */
  static long onesIfBelow(long number, long other) {
    return ((~number & other) | (~(number ^ other) & (number - other))) >> (Long.SIZE - 1);
  }

  private static long biasedHead(byte[] page, int at) {
    return Bytes.getLongBigEndian(page, at) + Long.MIN_VALUE;
  }
}
