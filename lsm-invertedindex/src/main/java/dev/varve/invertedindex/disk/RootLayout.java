package dev.varve.invertedindex.disk;

import dev.varve.common.page.PageLayout;

/**
 * Bytes of the root page, of as many units as it takes; see docs/format/inverted.md.
 *
 * <pre>
 *  offset  bytes  field
 *       0      8  page header (PageLayout), kind 'V'
 *       8      4  number of documents, not 0
 *      12      4  m, number of pages of the document table
 *      16      8  number of postings
 *      24      4  first page of the document table; the others follow it
 *      28      4  root page of the dictionary, a B+-tree; 0 without tokens
 *      32     4m  ordinal of the first document of each page of the document table
 *       .     ..  zeros
 * </pre>
 */
final class RootLayout {
  /** Kind of page. */
  static final byte KIND = 'V';

  /** Offset of the number of documents. */
  static final int DOCUMENTS = PageLayout.BODY;

  /** Offset of the number of pages of the document table. */
  static final int PAGES = 12;

  /** Offset of the number of postings. */
  static final int POSTINGS = 16;

  /** Offset of the first page of the document table. */
  static final int FIRST_PAGE = 24;

  /** Offset of the root page of the dictionary. */
  static final int DICTIONARY = 28;

  /** Offset of the ordinals. */
  static final int ORDINALS = 32;

  private RootLayout() {}

  /** Offset behind the ordinals of some pages. */
  static long end(int pages) {
    return ORDINALS + (long) Integer.BYTES * pages;
  }
}
