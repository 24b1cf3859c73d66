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
 *      16      p  the prefix
 *    16+p  8n+wn  n slots:
 *
 *              8  head: the first eight bytes of the key's rest after the prefix, zeros behind a
 *                 shorter rest; ascending as unsigned big-endian numbers
 *              w  start: offset of the entry in the page, ascending; w is 2 when end is at most
 *                 65535, else 4
 *
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

  /** Offset of the number of entries; this and the next two fields are also read as one number. */
  static final int COUNT = PageLayout.BODY;

  /** Offset of the length of the prefix. */
  static final int PREFIX_LENGTH = 10;

  /** Offset of the offset behind the last entry. */
  static final int END = 12;

  /** Offset of the prefix. */
  static final int PREFIX = 16;

  /** Where the start stands in a slot. */
  static final int START_IN_SLOT = Long.BYTES;

  /** Most entries in a page. */
  static final int MAX_COUNT = 0xFFFF;

  private LeafLayout() {}

  /** Offset of the slots. */
  static int slots(int prefixLength) {
    return PREFIX + prefixLength;
  }

  /** Bytes of a slot, which depend on where the entries end. */
  static int slotBytes(int end) {
    return START_IN_SLOT + (end > 0xFFFF ? Integer.BYTES : Short.BYTES);
  }

  /** Offset behind the last entry, from the bytes of prefix and entries. */
  static long end(int count, long prefixAndEntryBytes) {
    long narrow = PREFIX + (long) slotBytes(0) * count + prefixAndEntryBytes;
    return narrow > 0xFFFF ? narrow + (long) (Integer.BYTES - Short.BYTES) * count : narrow;
  }
}
