package dev.varve.btree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;

/** Search among the key heads and behind the prefix of a page; the same in leaves and above. */
final class Heads {
  private Heads() {}

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
    long biased = head + Long.MIN_VALUE;
    int base = 0;
    int length = count;
    while (length > 1) {
      int half = length >>> 1;
      long probed = Bytes.getLongBigEndian(page, headsAt + Long.BYTES * (base + half - 1));
      base = probed + Long.MIN_VALUE < biased ? base + half : base;
      length -= half;
    }
    if (length == 0) {
      return 0;
    }
    long last = Bytes.getLongBigEndian(page, headsAt + Long.BYTES * base);
    return last + Long.MIN_VALUE < biased ? base + 1 : base;
  }

  /** The first slot whose head is above a head. */
  static int upperBound(byte[] page, int headsAt, int count, long head) {
    return head == -1L ? count : lowerBound(page, headsAt, count, head + 1);
  }
}
