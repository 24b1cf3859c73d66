package dev.varve.invertedindex.disk;

import dev.varve.common.page.PageLayout;

/**
 * Bytes of a page of the document table; see docs/format/inverted.md.
 *
 * <pre>
 *  offset  bytes  field
 *       0      8  page header (PageLayout), kind 'D'
 *       8      4  ordinal of the first document
 *      12      4  n, number of documents, not 0
 *      16      4  w, bytes of each key when all have as many, else 0
 *      20     wn  keys of documents; when w is 0 instead:
 *      20   4n+4  starts: offset of each key, then the offset behind the last
 *       .     ..  keys
 * </pre>
 */
final class DocumentLayout {
  /** Kind of page. */
  static final byte KIND = 'D';

  /** Offset of the ordinal of the first document. */
  static final int FIRST = PageLayout.BODY;

  /** Offset of the number of documents. */
  static final int COUNT = 12;

  /** Offset of the length of keys. */
  static final int WIDTH = 16;

  /** Offset of the keys or their starts. */
  static final int KEYS = 20;

  private DocumentLayout() {}

  /** Offset behind the last of some keys of different lengths. */
  static int end(int count, int keyBytes) {
    return KEYS + Integer.BYTES * (count + 1) + keyBytes;
  }
}
