package dev.varve.btree.disk;

import dev.varve.common.page.PageLayout;

/**
 * Bytes of an interior page, which is always one unit; see docs/format/btree.md.
 *
 * <pre>
 *  offset  bytes  field
 *       0      8  page header (PageLayout), kind 'I'
 *       8      2  n, number of separators; there is one child more
 *      10      2  p, length of the prefix that all separators of the page share
 *      12      4  end: offset behind the last separator; zeros from there to the end of the page
 *      16      1  level: 1 when the children are leaves, else one more than the children's
 *      17      3  reserved, zero
 *      20    8·n  heads: the first eight bytes of each separator's rest after the prefix, zeros
 *                 behind a shorter rest; ascending as unsigned big-endian numbers
 *       .  4·n+4  children: page numbers
 *       .    w·n  starts: offset of each separator's rest in the page; w is 2 when end is at most
 *                 65535, else 4
 *       .      p  the prefix
 *       .     ..  rests of the separators after the prefix, each up to the next one's start
 * </pre>
 *
 * Child {@code i} holds the keys from separator {@code i - 1}, included, to separator {@code i}.
 */
final class InteriorLayout {
  /** Kind of page. */
  static final byte KIND = 'I';

  /** Offset of the number of separators. */
  static final int COUNT = PageLayout.BODY;

  /** Offset of the length of the prefix. */
  static final int PREFIX_LENGTH = 10;

  /** Offset of the offset behind the last separator. */
  static final int END = 12;

  /** Offset of the level. */
  static final int LEVEL = 16;

  /** Offset of three bytes that are zero. */
  static final int RESERVED = 17;

  /** Offset of the heads. */
  static final int HEADS = 20;

  /** Most separators in a page. */
  static final int MAX_COUNT = 0xFFFF;

  /** Most levels above the leaves; pages with two children each would need 2^31 leaves. */
  static final int MAX_LEVEL = 31;

  private InteriorLayout() {}

  /** Offset of the children. */
  static int children(int count) {
    return HEADS + Long.BYTES * count;
  }

  /** Offset of the starts. */
  static int starts(int count) {
    return children(count) + Integer.BYTES * (count + 1);
  }

  /** Bytes of a start, which depend on where the separators end. */
  static int startBytes(int end) {
    return end > 0xFFFF ? Integer.BYTES : Short.BYTES;
  }

  /** Offset behind the last separator, from the bytes of the prefix and the rests. */
  static long end(int count, long prefixAndRestBytes) {
    long narrow = starts(count) + (long) Short.BYTES * count + prefixAndRestBytes;
    return narrow > 0xFFFF ? narrow + (long) (Integer.BYTES - Short.BYTES) * count : narrow;
  }
}
