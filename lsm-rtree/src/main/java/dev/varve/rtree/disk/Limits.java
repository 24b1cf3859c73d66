package dev.varve.rtree.disk;

/** What a tree with pages of some size can hold. */
public final class Limits {
  /** An entry may take this share of a page, so that pages fill up. */
  private static final int ENTRIES_PER_PAGE = 4;

  private Limits() {}

  /** Most bytes of a key and its value together. */
  public static int maxEntryBytes(int pageSize) {
    return pageSize / ENTRIES_PER_PAGE;
  }
}
