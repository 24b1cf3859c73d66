package dev.varve.common.filter;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.page.PageLayout;

/**
 * Bytes of a filter's pages, and the bits of a key in them; see docs/format/filter.md.
 *
 * <pre>
 *  every page: one unit, kind F0
 *  offset  bytes  field
 *       8      1  version of the filter: 1
 *       9      1  probes: bits that a key sets, 1..14
 *      10      2  reserved, zero
 *      12      4  index of this page in the filter, from 0
 *      16      4  number of pages in the filter
 *      20      4  reserved, zero
 *      24      8  number of keys in the filter
 *      32     32  reserved, zero
 *      64     ..  blocks of 64 bytes
 * </pre>
 */
final class FilterLayout {
  static final int VERSION = PageLayout.BODY;
  static final int PROBES = 9;
  static final int INDEX = 12;
  static final int PAGES = 16;
  static final int KEYS = 24;
  static final int BLOCKS = 64;

  static final int CURRENT_VERSION = 1;
  static final int BLOCK_BYTES = 64;
  static final int BLOCK_BITS = Byte.SIZE * BLOCK_BYTES;

  /** Bits of a probe's position in its block. */
  static final int POSITION_BITS = 9;

  /** Positions that one mixed word gives. */
  static final int POSITIONS_PER_WORD = 7;

  /** Most probes: two words' worth. */
  static final int MAX_PROBES = 2 * POSITIONS_PER_WORD;

  /** Probes that are looked at together, before it is decided whether to look at the others. */
  private static final int FIRST_PROBES = 5;

  private static final int POSITION_MASK = (1 << POSITION_BITS) - 1;

  /**
   * Added to a hash once for each word that is mixed from it. Never zero times: the mixed hash
   * itself chooses the partition, and would be alike in all keys of a filter.
   */
  private static final long WORD = 0x9E3779B97F4A7C15L;

  private FilterLayout() {}

  /** Blocks in a page. */
  static int blocksPerPage(int pageSize) {
    return (pageSize - BLOCKS) / BLOCK_BYTES;
  }

  /** Index of the page that holds a key: the upper half of its hash, scaled. */
  static int page(long hash, int pages) {
    return (int) (((hash >>> 32) * pages) >>> 32);
  }

  /** Offset in its page of the block that holds a key: the lower half of its hash, scaled. */
  static int block(long hash, int blocksPerPage) {
    return BLOCKS + BLOCK_BYTES * (int) (((hash & 0xFFFF_FFFFL) * blocksPerPage) >>> 32);
  }

  /** Sets a key's bits in its block. */
  static void set(byte[] page, int block, long hash, int probes) {
    long word = KeyHash.mix(hash + WORD);
    for (int i = 0; i < probes; i++) {
      if (i == POSITIONS_PER_WORD) {
        word = KeyHash.mix(hash + WORD + WORD);
      }
      int position = (int) word & POSITION_MASK;
      page[block + (position >>> 3)] |= (byte) (1 << (position & 7));
      word >>>= POSITION_BITS;
    }
  }

  /**
   * Whether all of a key's bits are set in its block. To stop at the first zero is a branch that
   * cannot be foreseen, and holds up the filters that come next; but hardly a key that is not there
   * has all of its first bits set.
   */
  static boolean test(byte[] page, int block, long hash, int probes) {
    long word = KeyHash.mix(hash + WORD);
    int first = Math.min(probes, FIRST_PROBES);
    if (!allSet(page, block, word, first)) {
      return false;
    }
    int second = Math.min(probes, POSITIONS_PER_WORD) - first;
    int third = Math.max(0, probes - POSITIONS_PER_WORD);
    return allSet(page, block, word >>> (FIRST_PROBES * POSITION_BITS), second)
        && (third == 0 || allSet(page, block, KeyHash.mix(hash + WORD + WORD), third));
  }

  private static boolean allSet(byte[] page, int block, long word, int probes) {
    long positions = word;
    int set = 1;
    for (int i = 0; i < probes; i++) {
      int position = (int) positions & POSITION_MASK;
      set &= page[block + (position >>> 3)] >>> (position & 7);
      positions >>>= POSITION_BITS;
    }
    return set != 0;
  }
}
