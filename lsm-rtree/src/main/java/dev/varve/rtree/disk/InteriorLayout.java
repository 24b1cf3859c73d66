package dev.varve.rtree.disk;

import dev.varve.common.page.PageLayout;
import dev.varve.rtree.geometry.SpatialKeyLayout;

/**
 * Bytes of an interior page; see docs/format/rtree.md.
 *
 * <pre>
 *  offset  bytes  field
 *       0      8  page header (PageLayout), kind 'B'
 *       8      2  n, number of children
 *      10      1  d, number of dimensions, 2
 *      11      1  level: 1 above leaves, else one more than the pages below
 *      12      4  zero
 *      16   16dn  bounds, a column of n for each: lowest of each dimension, then highest
 *       .     8n  lowest position on the Hilbert curve below each child, ascending
 *       .     4n  children: page numbers
 *       .     ..  zeros
 * </pre>
 */
final class InteriorLayout {
  /** Kind of page. */
  static final byte KIND = 'B';

  /** Offset of the number of children. */
  static final int COUNT = PageLayout.BODY;

  /** Offset of the number of dimensions. */
  static final int DIMENSIONS = 10;

  /** Offset of the level. */
  static final int LEVEL = 11;

  /** Offset of four bytes that are zero. */
  static final int RESERVED = 12;

  /** Offset of the first column. */
  static final int COLUMNS = 16;

  /** Corners of a box. */
  static final int CORNERS = 2;

  /** No tree is higher: with the two children that a page has at least, that is a file's size. */
  static final int MAX_LEVEL = 31;

  private static final int CHILD_BYTES =
      CORNERS * SpatialKeyLayout.DIMENSIONS * Double.BYTES + Long.BYTES + Integer.BYTES;

  private InteriorLayout() {}

  /** Most children of a page. */
  static int capacity(int pageSize) {
    return (pageSize - COLUMNS) / CHILD_BYTES;
  }

  /** Offset of the column of positions. */
  static int positions(int count) {
    return COLUMNS + CORNERS * SpatialKeyLayout.DIMENSIONS * Double.BYTES * count;
  }

  /** Offset of the page numbers. */
  static int children(int count) {
    return positions(count) + Long.BYTES * count;
  }

  /** Offset behind the page numbers. */
  static int end(int count) {
    return COLUMNS + CHILD_BYTES * count;
  }
}
