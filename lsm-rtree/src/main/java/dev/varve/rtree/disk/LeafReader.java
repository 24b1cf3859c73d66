package dev.varve.rtree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Varint;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.index.Entry;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageLayout;
import dev.varve.rtree.geometry.SpatialKey;
import dev.varve.rtree.geometry.SpatialKeyLayout;
import java.util.Arrays;

/**
 * Decodes the entries of one leaf after the other. Keys are put together in a buffer; values are
 * views of the page. Confined to its owner.
 */
final class LeafReader {
  private final PageFile file;
  private final Boxes boxes = new Boxes();
  private byte[] page = Bytes.EMPTY;
  private int pageNumber;
  private int count;
  private int corners;
  private int positions;
  private int starts;
  private int startBytes;
  private int end;
  private byte[] key = new byte[64];

  LeafReader(PageFile file) {
    this.file = file;
  }

  /** Moves to a page, whose bytes stay as they are until the next call. */
  void load(byte[] newPage, int newPageNumber) throws CorruptionException {
    pageNumber = newPageNumber;
    if (newPage[PageLayout.KIND] != LeafLayout.KIND || newPage[PageLayout.UNITS] != 1) {
      throw damaged("page of kind " + (newPage[PageLayout.KIND] & 0xFF) + " where a leaf belongs");
    }
    int newCount = Bytes.getUnsignedShort(newPage, LeafLayout.COUNT);
    int newCorners = newPage[LeafLayout.CORNERS];
    int newEnd = Bytes.getInt(newPage, LeafLayout.END);
    if (newPage[LeafLayout.DIMENSIONS] != SpatialKeyLayout.DIMENSIONS
        || newCorners < 1
        || newCorners > 2) {
      throw damaged(
          newPage[LeafLayout.DIMENSIONS] + " dimensions, " + newCorners + " corners in a leaf");
    }
    int startsAt = LeafLayout.starts(newCount, newCorners);
    if (newCount == 0
        || newEnd > file.pageSize()
        || newEnd < startsAt + (LeafLayout.startBytes(newEnd) + 1) * newCount) {
      throw damaged(newCount + " entries before " + newEnd);
    }
    page = newPage;
    count = newCount;
    corners = newCorners;
    end = newEnd;
    positions = LeafLayout.positions(newCount, newCorners);
    starts = startsAt;
    startBytes = LeafLayout.startBytes(newEnd);
    boxes.set(newPage, LeafLayout.COLUMNS, newCount, newCorners);
  }

  int count() {
    return count;
  }

  int corners() {
    return corners;
  }

  /** Offset behind the last tail. */
  int end() {
    return end;
  }

  Boxes boxes() {
    return boxes;
  }

  /** Position of an entry on the curve. */
  long position(int slot) {
    return Bytes.getLong(page, positions + Long.BYTES * slot);
  }

  /** Where the tails begin. */
  int tailsAt() {
    return starts + startBytes * count;
  }

  /** Where a tail starts. */
  int start(int slot) {
    int at = starts + startBytes * slot;
    return startBytes == Short.BYTES ? Bytes.getUnsignedShort(page, at) : Bytes.getInt(page, at);
  }

  /** Points an entry at the one in a slot, until the next call. */
  void view(int slot, Entry entry) throws CorruptionException {
    int start = start(slot);
    int behind = slot + 1 < count ? start(slot + 1) : end;
    if (start < tailsAt() || start >= behind || behind > end) {
      throw damaged("tail " + slot + " from " + start + " to " + behind);
    }
    long field = page[start];
    int at = start + 1;
    if (field < 0) {
      field = Varint.get(page, start, behind);
      if (field == Varint.MALFORMED) {
        throw damaged("length of the primary key in tail " + slot);
      }
      at = start + Varint.sizeOf(field);
    }
    long primaryKeyLength = field >>> 1;
    if (primaryKeyLength > behind - at) {
      throw damaged("primary key of " + primaryKeyLength + " bytes in tail " + slot);
    }
    int length = putPrefix(slot, (int) primaryKeyLength);
    System.arraycopy(page, at, key, length, (int) primaryKeyLength);
    int valueAt = at + (int) primaryKeyLength;
    entry.key().set(key, 0, length + (int) primaryKeyLength);
    entry.value().set(page, valueAt, behind - valueAt);
    entry.antimatter((field & 1) != 0);
  }

  /** Puts what stands before the primary key into the buffer, and makes room behind it. */
  private int putPrefix(int slot, int more) {
    double minX = boxes.minX(slot);
    double minY = boxes.minY(slot);
    boolean point = corners == 1;
    int at = SpatialKeyLayout.COORDINATES;
    if (key.length < SpatialKeyLayout.BEHIND_RECTANGLE + more) {
      key = Arrays.copyOf(key, Math.max(2 * key.length, SpatialKeyLayout.BEHIND_RECTANGLE + more));
    }
    if (!point) {
      double maxX = boxes.maxX(slot);
      double maxY = boxes.maxY(slot);
      point = minX == maxX && minY == maxY;
      SpatialKey.putCoordinate(key, at + 2 * Double.BYTES, maxX);
      SpatialKey.putCoordinate(key, at + 3 * Double.BYTES, maxY);
    }
    Bytes.putLongBigEndian(key, SpatialKeyLayout.POSITION, position(slot));
    key[SpatialKeyLayout.SHAPE] = point ? SpatialKeyLayout.POINT : SpatialKeyLayout.RECTANGLE;
    SpatialKey.putCoordinate(key, at, minX);
    SpatialKey.putCoordinate(key, at + Double.BYTES, minY);
    return point ? SpatialKeyLayout.BEHIND_POINT : SpatialKeyLayout.BEHIND_RECTANGLE;
  }

  /** What to throw about the current page. */
  CorruptionException damaged(String problem) {
    return new CorruptionException(file.name(), (long) pageNumber * file.pageSize(), problem);
  }
}
