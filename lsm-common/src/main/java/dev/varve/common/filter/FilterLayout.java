package dev.varve.common.filter;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.page.PageLayout;

/**
 * Bytes of a filter's pages, and the bits of a key in them; see docs/format/filter.md.
 *
 * <pre>
 *  every page: one unit, kind F0
 *  offset  bytes  field
 *       8      1  version of the filter: 2
 *       9      1  probes: bits that a key sets, 4..14
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

  /** Bits of a key anywhere in its block; still read. */
  static final int SCATTERED_VERSION = 1;

  static final int CURRENT_VERSION = 2;
  static final int BLOCK_BYTES = 64;
  static final int BLOCK_BITS = Byte.SIZE * BLOCK_BYTES;
  static final int WORD_BITS = Long.SIZE;

  /** Bits of a probe's position in its block. */
  static final int POSITION_BITS = 9;

  /** Positions that one mixed hash gives. */
  static final int POSITIONS_PER_MIX = 7;

  /** The first probes, all in one word of the block: one load answers for nearly every key. */
  static final int TOGETHER = 4;

  /** Most probes: those of two mixed hashes. */
  static final int MAX_PROBES = 2 * POSITIONS_PER_MIX;

  /** Bits of a probe's position in its word. */
  private static final int PLACE_BITS = 6;

  private static final int POSITION_MASK = (1 << POSITION_BITS) - 1;

  /**
   * Added to a hash once for each time it is mixed. Never zero times: the mixed hash itself chooses
   * the partition, and would be alike in all keys of a filter.
   */
  private static final long STEP = 0x9E3779B97F4A7C15L;

  /**
   * Ends of a block are this one in 2^64 times: compared with it, they are read and no answer
   * waits.
   */
  private static final long UNLIKELY = 0x5851F42D4C957F2DL;

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
    long positions = positions(hash);
    int word = block + word(positions);
    Bytes.putLong(page, word, Bytes.getLong(page, word) | together(positions));
    for (int i = TOGETHER; i < probes; i++) {
      if (i == POSITIONS_PER_MIX) {
        positions = KeyHash.mix(hash + STEP + STEP);
      }
      int position = position(positions, i);
      page[block + (position >>> 3)] |= (byte) (1 << (position & 7));
    }
  }

  /** Whether all of a key's bits are set in its block. */
  static boolean test(byte[] page, int block, long hash, int probes) {
    long positions = positions(hash);
    long together = together(positions);
    return (Bytes.getLong(page, block + word(positions)) & together) == together
        && allSet(page, block, hash, TOGETHER, probes);
  }

  /** The same in a filter of {@link #SCATTERED_VERSION}. */
  static boolean testScattered(byte[] page, int block, long hash, int probes) {
    return allSet(page, block, hash, 0, probes);
  }

  /** Where a key's bits lie, the same in all filters. */
  static long positions(long hash) {
    return KeyHash.mix(hash + STEP);
  }

  /**
   * Whether those of a key's bits are set that lie together: true for each key that {@link #test}
   * is true for, and for few others. Reads both ends of the block, too, which mostly lies in two
   * lines of memory: the processor has fetched it when somebody tests the other bits.
   *
   * @param positions of the key
   */
  static boolean testTogether(byte[] page, int block, long positions) {
    long ends = Bytes.getLong(page, block) ^ Bytes.getLong(page, block + BLOCK_BYTES - Long.BYTES);
    if (ends == UNLIKELY) {
      return true;
    }
    long together = together(positions);
    return (Bytes.getLong(page, block + word(positions)) & together) == together;
  }

  /** Offset in its block of the word that the first position lies in. */
  private static int word(long positions) {
    return (int) (positions & POSITION_MASK) >>> PLACE_BITS << 3;
  }

  /** The bits that lie together; shifts take the lowest bits of a distance only. */
  private static long together(long positions) {
    return 1L << positions
        | 1L << (positions >>> POSITION_BITS)
        | 1L << (positions >>> (2 * POSITION_BITS))
        | 1L << (positions >>> (3 * POSITION_BITS));
  }

  private static int position(long positions, int probe) {
    return (int) (positions >>> (POSITION_BITS * (probe % POSITIONS_PER_MIX))) & POSITION_MASK;
  }

  private static boolean allSet(byte[] page, int block, long hash, int from, int to) {
    long positions = positions(hash);
    int set = 1;
    for (int i = from; i < to; i++) {
      if (i == POSITIONS_PER_MIX) {
        positions = KeyHash.mix(hash + STEP + STEP);
      }
      int position = position(positions, i);
      set &= page[block + (position >>> 3)] >>> (position & 7);
    }
    return set != 0;
  }
}
