package dev.varve.btree.disk;

import dev.varve.common.bytes.Varint;
import dev.varve.common.page.PageLayout;

/** What a tree with pages of some size can hold. */
public final class Limits {
  /** A key may take this share of a page, so that interior pages branch. */
  private static final int KEYS_PER_PAGE = 4;

  /** No key may be longer, whatever the size of a page: lengths of prefixes have 16 bits. */
  private static final int LONGEST_KEY = 1 << 15;

  private Limits() {}

  /** Most bytes of a key. */
  public static int maxKeyBytes(int pageSize) {
    return Math.min(pageSize / KEYS_PER_PAGE, LONGEST_KEY);
  }

  /** Most bytes of a key and its value together: what a page of the most units holds. */
  public static int maxEntryBytes(int pageSize) {
    int slot = Long.BYTES + Integer.BYTES;
    return PageLayout.MAX_UNITS * pageSize - LeafLayout.PREFIX - slot - Varint.MAX_INT_BYTES;
  }
}
