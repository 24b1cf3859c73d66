package dev.varve.invertedindex.disk;

import dev.varve.common.page.PageLayout;

/** Bounds of an inverted index with pages of some size. */
public final class Limits {
  /** A primary key may take this share of a page, so that pages fill up. */
  private static final int KEYS_PER_PAGE = 4;

  /**
   * No primary key may be longer, whatever the size of a page: the builder's lengths have 15 bits.
   */
  private static final int LONGEST_KEY = (1 << 15) - 1;

  /** Most documents of a component. */
  static final int MAX_DOCUMENTS = 1 << 30;

  private Limits() {}

  /** Most bytes of a primary key. */
  public static int maxPrimaryKeyBytes(int pageSize) {
    return Math.min(pageSize / KEYS_PER_PAGE, LONGEST_KEY);
  }

  /** Most pages of the document table of a component: the root page names each. */
  static int maxDocumentPages(int pageSize) {
    return (PageLayout.MAX_UNITS * pageSize - RootLayout.ORDINALS) / Integer.BYTES;
  }
}
