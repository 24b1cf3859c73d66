package dev.varve.rtree.disk;

/** What a parent states about a page: its box, and its first position on the curve. Confined. */
final class Bounds {
  double minX;
  double minY;
  double maxX;
  double maxY;
  long position;

  Bounds() {
    clear();
  }

  /** Makes the box empty. */
  void clear() {
    minX = Double.POSITIVE_INFINITY;
    minY = Double.POSITIVE_INFINITY;
    maxX = Double.NEGATIVE_INFINITY;
    maxY = Double.NEGATIVE_INFINITY;
    position = 0;
  }

  /** Takes in an entry of a leaf; the first one of a leaf begins anew. */
  void add(LeafBuilder leaf, int slot) {
    if (slot == 0) {
      clear();
      position = leaf.position(slot);
    }
    minX = Math.min(minX, leaf.coordinate(0, slot));
    minY = Math.min(minY, leaf.coordinate(1, slot));
    maxX = Math.max(maxX, leaf.coordinate(2, slot));
    maxY = Math.max(maxY, leaf.coordinate(3, slot));
  }

  /** Takes in a box of a page; the first one of a page begins anew. */
  void add(Boxes boxes, int slot) {
    if (slot == 0) {
      clear();
    }
    minX = Math.min(minX, boxes.minX(slot));
    minY = Math.min(minY, boxes.minY(slot));
    maxX = Math.max(maxX, boxes.maxX(slot));
    maxY = Math.max(maxY, boxes.maxY(slot));
  }

  /** Whether these are the same. */
  boolean same(Bounds other) {
    return minX == other.minX
        && minY == other.minY
        && maxX == other.maxX
        && maxY == other.maxY
        && position == other.position;
  }
}
