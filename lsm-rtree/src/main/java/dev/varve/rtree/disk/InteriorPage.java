package dev.varve.rtree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.page.PageLayout;
import dev.varve.rtree.geometry.SpatialKeyLayout;
import org.jspecify.annotations.Nullable;

/** Looks into interior pages. Thread-safe: no state. */
final class InteriorPage {
  private InteriorPage() {}

  /** The first rule that a page breaks; null when it keeps all that can be checked within it. */
  static @Nullable String problem(byte[] page, int pageSize) {
    if (page[PageLayout.KIND] != InteriorLayout.KIND || page[PageLayout.UNITS] != 1) {
      return "page of kind " + (page[PageLayout.KIND] & 0xFF) + " where an interior page belongs";
    }
    int level = level(page);
    int count = count(page);
    if (level < 1 || level > InteriorLayout.MAX_LEVEL) {
      return "level " + level;
    }
    if (page[InteriorLayout.DIMENSIONS] != SpatialKeyLayout.DIMENSIONS) {
      return page[InteriorLayout.DIMENSIONS] + " dimensions";
    }
    if (count == 0 || count > InteriorLayout.capacity(pageSize)) {
      return count + " children";
    }
    for (int i = 1; i < count; i++) {
      if (Long.compareUnsigned(position(page, i - 1), position(page, i)) > 0) {
        return "position of child " + i + " is below the one before";
      }
    }
    return null;
  }

  static int count(byte[] page) {
    return Bytes.getUnsignedShort(page, InteriorLayout.COUNT);
  }

  static int level(byte[] page) {
    return page[InteriorLayout.LEVEL];
  }

  /** Page number of a child. */
  static int child(byte[] page, int index) {
    return Bytes.getInt(page, InteriorLayout.children(count(page)) + Integer.BYTES * index);
  }

  /** Lowest position on the curve below a child. */
  static long position(byte[] page, int index) {
    return Bytes.getLong(page, InteriorLayout.positions(count(page)) + Long.BYTES * index);
  }

  /** Points at the children's bounds. */
  static void viewBoxes(byte[] page, Boxes boxes) {
    boxes.set(page, InteriorLayout.COLUMNS, count(page), InteriorLayout.CORNERS);
  }

  /**
   * The first child that may have entries at a position: the last one that begins below it, or the
   * first one.
   */
  static int firstAt(byte[] page, long position) {
    int low = 0;
    int high = count(page);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(position(page, middle), position) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return Math.max(0, low - 1);
  }
}
