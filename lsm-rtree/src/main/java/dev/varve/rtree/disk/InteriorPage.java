package dev.varve.rtree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.page.PageLayout;
import dev.varve.rtree.geometry.SpatialKeyLayout;
import org.jspecify.annotations.Nullable;

/**
 * Looks into interior pages. A page is an array and where in it the page begins. Thread-safe: no
 * state.
 */
final class InteriorPage {
  private InteriorPage() {}

  /** The first rule that a page breaks; null when it keeps all that can be checked within it. */
  static @Nullable String problem(byte[] page, int at, int pageSize) {
    if (page[at + PageLayout.KIND] != InteriorLayout.KIND || page[at + PageLayout.UNITS] != 1) {
      int kind = page[at + PageLayout.KIND] & 0xFF;
      return "page of kind " + kind + " where an interior page belongs";
    }
    int level = level(page, at);
    int count = count(page, at);
    if (level < 1 || level > InteriorLayout.MAX_LEVEL) {
      return "level " + level;
    }
    int dimensions = page[at + InteriorLayout.DIMENSIONS];
    if (dimensions != SpatialKeyLayout.DIMENSIONS) {
      return dimensions + " dimensions";
    }
    if (count == 0 || count > InteriorLayout.capacity(pageSize)) {
      return count + " children";
    }
    for (int i = 1; i < count; i++) {
      if (Long.compareUnsigned(position(page, at, i - 1), position(page, at, i)) > 0) {
        return "position of child " + i + " is below the one before";
      }
    }
    return null;
  }

  static int count(byte[] page, int at) {
    return Bytes.getUnsignedShort(page, at + InteriorLayout.COUNT);
  }

  static int level(byte[] page, int at) {
    return page[at + InteriorLayout.LEVEL];
  }

  /** Page number of a child. */
  static int child(byte[] page, int at, int index) {
    int children = at + InteriorLayout.children(count(page, at));
    return Bytes.getInt(page, children + Integer.BYTES * index);
  }

  /** Lowest position on the curve below a child. */
  static long position(byte[] page, int at, int index) {
    int positions = at + InteriorLayout.positions(count(page, at));
    return Bytes.getLong(page, positions + Long.BYTES * index);
  }

  /** Points at the children's bounds. */
  static void viewBoxes(byte[] page, int at, Boxes boxes) {
    boxes.set(page, at + InteriorLayout.COLUMNS, count(page, at), InteriorLayout.CORNERS);
  }

  /**
   * The first child that may have entries at a position: the last one that begins below it, or the
   * first one.
   */
  static int firstAt(byte[] page, int at, long position) {
    int low = 0;
    int high = count(page, at);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(position(page, at, middle), position) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return Math.max(0, low - 1);
  }
}
