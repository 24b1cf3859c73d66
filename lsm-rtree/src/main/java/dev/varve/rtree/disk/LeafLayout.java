package dev.varve.rtree.disk;

import dev.varve.common.page.PageLayout;
import dev.varve.rtree.geometry.SpatialKeyLayout;

/**
 * Bytes of a leaf page; see docs/format/rtree.md.
 *
 * <pre>
 *  offset  bytes  field
 *       0      8  page header (PageLayout), kind 'S'
 *       8      2  n, number of entries
 *      10      1  d, number of dimensions, 2
 *      11      1  c, corners of each entry: 1 when all are points, else 2
 *      12      4  end: offset behind the last tail; zeros from there to the end of the page
 *      16   8dcn  coordinates, a column of n for each: lowest of each dimension, then highest
 *       .     8n  positions on the Hilbert curve, ascending
 *       .     wn  starts: offset of each tail, ascending; w is 2 when end is at most 65535, else 4
 *       .     ..  n tails back to back, each up to the next one's start:
 *
 *         varint  two times the length of the primary key, plus 1 for antimatter
 *             ..  primary key
 *             ..  value
 * </pre>
 */
final class LeafLayout {
  /** Kind of page. */
  static final byte KIND = 'S';

  /** Offset of the number of entries. */
  static final int COUNT = PageLayout.BODY;

  /** Offset of the number of dimensions. */
  static final int DIMENSIONS = 10;

  /** Offset of the number of corners. */
  static final int CORNERS = 11;

  /** Offset of the offset behind the last tail. */
  static final int END = 12;

  /** Offset of the first column. */
  static final int COLUMNS = 16;

  private LeafLayout() {}

  /** Offset of the column of positions. */
  static int positions(int count, int corners) {
    return COLUMNS + Double.BYTES * SpatialKeyLayout.DIMENSIONS * corners * count;
  }

  /** Offset of the starts. */
  static int starts(int count, int corners) {
    return positions(count, corners) + Long.BYTES * count;
  }

  /** Bytes of a start, which depend on where the tails end. */
  static int startBytes(int end) {
    return end > 0xFFFF ? Integer.BYTES : Short.BYTES;
  }

  /** Offset behind the last tail. */
  static int end(int count, int corners, int tailBytes) {
    int narrow = starts(count, corners) + Short.BYTES * count + tailBytes;
    return narrow > 0xFFFF ? narrow + (Integer.BYTES - Short.BYTES) * count : narrow;
  }
}
