package dev.varve.invertedindex.disk;

import dev.varve.common.page.PageLayout;
import dev.varve.invertedindex.postings.Window;

/**
 * Bytes of a page of postings, and of a value in the dictionary; see docs/format/inverted.md.
 *
 * <pre>
 *  offset  bytes  field
 *       0      8  page header (PageLayout), kind 'P'
 *       8      4  end: offset behind the last window; zeros from there on
 *      12      4  number of the first window when the page goes on with a list, else FFFFFFFF
 *      16     ..  windows:
 *
 *         varint  distance from the window before it in the list, the first one from -1
 *         varint  n, number of postings, not 0
 *             2n  positions in the window, ascending; when n is above 1024 instead:
 *           2048  a bit for each position
 *
 *  value: varint  number of documents
 *         varint  m, number of pages; 0 when the windows follow here, up to the value's end; else:
 *              4  first page; the others follow it
 *         varint  offset of the first window in the first page
 *         varint  number of the last window
 * </pre>
 */
final class PostingLayout {
  /** Kind of page. */
  static final byte KIND = 'P';

  /** Offset of the offset behind the last window. */
  static final int END = PageLayout.BODY;

  /** Offset of the number of the first window. */
  static final int FIRST_WINDOW = 12;

  /** Offset of the first window. */
  static final int WINDOWS = 16;

  /** In place of a window's number: no list goes on at the beginning of the page. */
  static final int NO_WINDOW = -1;

  /** Bytes of a position. */
  static final int POSITION = Character.BYTES;

  /** Bytes of a bit set. */
  static final int BIT_SET = Window.SIZE / Byte.SIZE;

  private PostingLayout() {}

  /** Bytes of the postings of a window. */
  static int bytes(int count) {
    return count > Window.MAX_ARRAY ? BIT_SET : POSITION * count;
  }
}
