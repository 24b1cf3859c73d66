package dev.varve.btree.disk;

import dev.varve.common.page.PageLayout;

/**
 * Bytes of a leaf page; see docs/format/btree.md.
 *
 * <pre>
 *  offset  bytes  field
 *       0      8  page header (PageLayout), kind 'L'
 *       8      2  n, number of entries, 1..65535
 *      10      2  p, length of the prefix that all keys of the page share
 *      12      4  end: offset behind the last entry; zeros from there to the end of the page
 *      16    8·n  heads: the first eight bytes of each key's rest after the prefix, zeros behind a
 *                 shorter rest; ascending as unsigned big-endian numbers
 *       .    w·n  starts: offset of each entry in the page, ascending; w is 2 when end is at most
 *                 65535, else 4
 *       .      p  the prefix
 *       .     ..  n entries back to back, each up to the next one's start:
 *
 *         varint  two times r, the length of the key's rest after the prefix, plus 1 for antimatter
 *     max(0,r-8)  the rest's bytes behind its head
 *             ..  value
 * </pre>
 */
final class LeafLayout {
  /** Kind of page. */
  static final byte KIND = 'L';

  /** Offset of the number of entries. */
  static final int COUNT = PageLayout.BODY;

  /** Offset of the length of the prefix. */
  static final int PREFIX_LENGTH = 10;

  /** Offset of the offset behind the last entry. */
  static final int END = 12;

  /** Offset of the heads. */
  static final int HEADS = 16;

  /** Most entries in a page. */
  static final int MAX_COUNT = 0xFFFF;

  private LeafLayout() {}

  /** Offset of the starts. */
  static int starts(int count) {
    return HEADS + Long.BYTES * count;
  }

  /** Bytes of a start, which depend on where the entries end. */
  static int startBytes(int end) {
    return end > 0xFFFF ? Integer.BYTES : Short.BYTES;
  }

  /** Offset behind the last entry, from the bytes of prefix and entries. */
  static long end(int count, long prefixAndEntryBytes) {
    long narrow = starts(count) + (long) Short.BYTES * count + prefixAndEntryBytes;
    return narrow > 0xFFFF ? narrow + (long) (Integer.BYTES - Short.BYTES) * count : narrow;
  }
}
