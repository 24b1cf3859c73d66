package dev.varve.rtree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Varint;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.format.Entry;
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
  /** Bytes of a primary key that is copied word by word. */
  private static final int SHORT = 32;

  private final PageFile file;
  private final Boxes boxes = new Boxes();
  private byte[] page = Bytes.EMPTY;

  /** Where in its array the page begins; the offsets below are those in the array. */
  private int at;

  private int pageNumber;
  private int count;
  private int corners;
  private int positions;
  private int starts;
  private int startBytes;
  private int tailsAt;
  private int end;
  private byte[] key = new byte[64];

  LeafReader(PageFile file) {
    this.file = file;
  }

  /** Moves to a page, whose bytes stay as they are until the next call. */
  void load(PageFile.View view, int newPageNumber) throws CorruptionException {
    load(view.bytes(), view.at(), newPageNumber);
  }

  /** The same, of a page that begins somewhere in an array. */
  void load(byte[] newPage, int newAt, int newPageNumber) throws CorruptionException {
    pageNumber = newPageNumber;
    int kind = newPage[newAt + PageLayout.KIND];
    if (kind != LeafLayout.KIND || newPage[newAt + PageLayout.UNITS] != 1) {
      throw damaged("page of kind " + (kind & 0xFF) + " where a leaf belongs");
    }
    int newCount = Bytes.getUnsignedShort(newPage, newAt + LeafLayout.COUNT);
    int dimensions = newPage[newAt + LeafLayout.DIMENSIONS];
    int newCorners = newPage[newAt + LeafLayout.CORNERS];
    int newEnd = Bytes.getInt(newPage, newAt + LeafLayout.END);
    if (dimensions != SpatialKeyLayout.DIMENSIONS || newCorners < 1 || newCorners > 2) {
      throw damaged(dimensions + " dimensions, " + newCorners + " corners in a leaf");
    }
    int startsAt = LeafLayout.starts(newCount, newCorners);
    if (newCount == 0
        || newEnd > file.pageSize()
        || newEnd < startsAt + (LeafLayout.startBytes(newEnd) + 1) * newCount) {
      throw damaged(newCount + " entries before " + newEnd);
    }
    page = newPage;
    at = newAt;
    count = newCount;
    corners = newCorners;
    end = newAt + newEnd;
    positions = newAt + LeafLayout.positions(newCount, newCorners);
    starts = newAt + startsAt;
    startBytes = LeafLayout.startBytes(newEnd);
    tailsAt = starts + startBytes * newCount;
    boxes.set(newPage, newAt + LeafLayout.COLUMNS, newCount, newCorners);
  }

  int count() {
    return count;
  }

  int corners() {
    return corners;
  }

  /** Offset behind the last tail, in the page's array. */
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

  /** Where the tails begin, in the page's array. */
  int tailsAt() {
    return tailsAt;
  }

  /** Where a tail starts, in the page's array. */
  int start(int slot) {
    int startAt = starts + startBytes * slot;
    return at
        + (startBytes == Short.BYTES
            ? Bytes.getUnsignedShort(page, startAt)
            : Bytes.getInt(page, startAt));
  }

  /** Where an entry of the page lies in the tree; an entry has at least eight bytes. */
  long liesAt(int slot) {
    int mostOfPage = file.pageSize() / Long.BYTES;
    assert slot >= 0 && slot < mostOfPage : slot;
    return (long) pageNumber * mostOfPage + slot;
  }

  /** Points an entry at the one in a slot, until the next call. */
  void view(int slot, Entry entry) throws CorruptionException {
    int start = start(slot);
    int behind = slot + 1 < count ? start(slot + 1) : end;
    if (start < tailsAt || start >= behind || behind > end) {
      throw damaged("tail " + slot + " from " + (start - at) + " to " + (behind - at));
    }
    long field = page[start];
    int keyAt = start + 1;
    if (field < 0) {
      field = Varint.get(page, start, behind);
      if (field == Varint.MALFORMED) {
        throw damaged("length of the primary key in tail " + slot);
      }
      keyAt = start + Varint.sizeOf(field);
    }
    long primaryKeyLength = field >>> 1;
    if (primaryKeyLength > behind - keyAt) {
      throw damaged("primary key of " + primaryKeyLength + " bytes in tail " + slot);
    }
    int prefix = putPrefix(slot, (int) primaryKeyLength);
    copyToKey(keyAt, prefix, (int) primaryKeyLength);
    int valueAt = keyAt + (int) primaryKeyLength;
    entry.key().set(key, 0, prefix + (int) primaryKeyLength);
    entry.value().set(page, valueAt, behind - valueAt);
    entry.antimatter((field & 1) != 0);
  }

  /** Puts what stands before the primary key into the buffer, and makes room behind it. */
  private int putPrefix(int slot, int more) {
    int longest = SpatialKeyLayout.BEHIND_RECTANGLE + more + Long.BYTES;
    if (key.length < longest) {
      key = Arrays.copyOf(key, Math.max(2 * key.length, longest));
    }
    int to = SpatialKeyLayout.COORDINATES;
    boolean point = corners == 1;
    long minX = coordinateBits(0, slot);
    long minY = coordinateBits(1, slot);
    if (!point) {
      long maxX = coordinateBits(2, slot);
      long maxY = coordinateBits(3, slot);
      point = minX == maxX && minY == maxY;
      SpatialKey.putCoordinateBits(key, to + 2 * Double.BYTES, maxX);
      SpatialKey.putCoordinateBits(key, to + 3 * Double.BYTES, maxY);
    }
    Bytes.putLongBigEndian(key, SpatialKeyLayout.POSITION, position(slot));
    key[SpatialKeyLayout.SHAPE] = point ? SpatialKeyLayout.POINT : SpatialKeyLayout.RECTANGLE;
    SpatialKey.putCoordinateBits(key, to, minX);
    SpatialKey.putCoordinateBits(key, to + Double.BYTES, minY);
    return point ? SpatialKeyLayout.BEHIND_POINT : SpatialKeyLayout.BEHIND_RECTANGLE;
  }

  private long coordinateBits(int column, int slot) {
    int columns = at + LeafLayout.COLUMNS;
    return Bytes.getLong(page, columns + Double.BYTES * (column * count + slot));
  }

  /**
   * Copies bytes of the page behind the prefix. Most primary keys are short: a few words, where
   * there are, cost less than finding out how to copy bytes.
   */
  private void copyToKey(int from, int to, int length) {
    if (length > SHORT || from + length + Long.BYTES > page.length) {
      System.arraycopy(page, from, key, to, length);
      return;
    }
    for (int i = 0; i < length; i += Long.BYTES) {
      Bytes.putLong(key, to + i, Bytes.getLong(page, from + i));
    }
  }

  /** What to throw about the current page. */
  CorruptionException damaged(String problem) {
    return new CorruptionException(file.name(), (long) pageNumber * file.pageSize(), problem);
  }
}
