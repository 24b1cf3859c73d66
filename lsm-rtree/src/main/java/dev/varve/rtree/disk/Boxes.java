package dev.varve.rtree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.rtree.query.RegionQuery;

/**
 * The columns of coordinates of a page, of one corner (points) or two. Where there is one, it
 * serves as both. A movable view, confined to its owner.
 */
final class Boxes {
  private byte[] page = Bytes.EMPTY;
  private int count;
  private int minX;
  private int minY;
  private int maxX;
  private int maxY;

  /** Moves to the columns at an offset. */
  void set(byte[] newPage, int at, int newCount, int corners) {
    page = newPage;
    count = newCount;
    int columnBytes = Double.BYTES * newCount;
    minX = at;
    minY = at + columnBytes;
    maxX = corners == 1 ? minX : at + 2 * columnBytes;
    maxY = corners == 1 ? minY : at + 3 * columnBytes;
  }

  double minX(int slot) {
    return get(minX, slot);
  }

  double minY(int slot) {
    return get(minY, slot);
  }

  double maxX(int slot) {
    return get(maxX, slot);
  }

  double maxY(int slot) {
    return get(maxY, slot);
  }

  private double get(int column, int slot) {
    return Double.longBitsToDouble(Bytes.getLong(page, column + Double.BYTES * slot));
  }

  /** Collects the slots whose boxes and the window of a query intersect. */
  int intersecting(RegionQuery query, int[] slots) {
    return maxX == minX ? pointsIn(query, slots) : boxesIn(query, slots);
  }

  /*
   * The loops have no branch that depends on data: differences that are negative say no by their
   * sign.
   */

  private int pointsIn(RegionQuery query, int[] slots) {
    byte[] bytes = page;
    double lowX = query.minX();
    double lowY = query.minY();
    double highX = query.maxX();
    double highY = query.maxY();
    int found = 0;
    int toY = minY - minX;
    int at = minX;
    int limit = count;
    for (int slot = 0; slot < limit; slot++, at += Double.BYTES) {
      double x = Double.longBitsToDouble(Bytes.getLong(bytes, at));
      double y = Double.longBitsToDouble(Bytes.getLong(bytes, at + toY));
      long outside =
          Double.doubleToRawLongBits(x - lowX)
              | Double.doubleToRawLongBits(highX - x)
              | Double.doubleToRawLongBits(y - lowY)
              | Double.doubleToRawLongBits(highY - y);
      slots[found] = slot;
      found += (int) (~outside >>> 63);
    }
    return found;
  }

  private int boxesIn(RegionQuery query, int[] slots) {
    byte[] bytes = page;
    double lowX = query.minX();
    double lowY = query.minY();
    double highX = query.maxX();
    double highY = query.maxY();
    int found = 0;
    int toMinY = minY - minX;
    int toMaxX = maxX - minX;
    int toMaxY = maxY - minX;
    int at = minX;
    for (int slot = 0; slot < count; slot++, at += Double.BYTES) {
      long outside =
          Double.doubleToRawLongBits(
                  Double.longBitsToDouble(Bytes.getLong(bytes, at + toMaxX)) - lowX)
              | Double.doubleToRawLongBits(
                  highX - Double.longBitsToDouble(Bytes.getLong(bytes, at)))
              | Double.doubleToRawLongBits(
                  Double.longBitsToDouble(Bytes.getLong(bytes, at + toMaxY)) - lowY)
              | Double.doubleToRawLongBits(
                  highY - Double.longBitsToDouble(Bytes.getLong(bytes, at + toMinY)));
      slots[found] = slot;
      found += (int) (~outside >>> 63);
    }
    return found;
  }

  /** Keeps, of some slots, those whose entries are in the region. */
  int accepted(RegionQuery query, int[] slots, int found) {
    int kept = 0;
    for (int i = 0; i < found; i++) {
      int slot = slots[i];
      if (query.accepts(minX(slot), minY(slot), maxX(slot), maxY(slot))) {
        slots[kept++] = slot;
      }
    }
    return kept;
  }

  /** Keeps, of some slots, those below which there may be entries of the region. */
  int reached(RegionQuery query, int[] slots, int found) {
    int kept = 0;
    for (int i = 0; i < found; i++) {
      int slot = slots[i];
      if (query.reaches(minX(slot), minY(slot), maxX(slot), maxY(slot))) {
        slots[kept++] = slot;
      }
    }
    return kept;
  }
}
