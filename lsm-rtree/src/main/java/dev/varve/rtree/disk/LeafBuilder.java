package dev.varve.rtree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.bytes.Varint;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.page.PageFileWriter;
import dev.varve.rtree.geometry.SpatialKey;
import java.util.Arrays;

/** Collects the entries of one leaf, column by column, and writes it. Confined. */
final class LeafBuilder {
  private final PageFileWriter file;
  private final byte[] page;
  private final Bounds bounds = new Bounds();

  // Columns, in the order in which they stand in a leaf of two corners.
  private final double[][] coordinates = new double[4][];
  private final long[] positions;
  private final int[] tails;
  private final byte[] tailBytes;
  private int count;
  private int corners = 1;
  private int tailEnd;

  LeafBuilder(PageFileWriter file) {
    this.file = file;
    this.page = new byte[file.pageSize()];
    int most = file.pageSize() / (3 * Double.BYTES);
    for (int i = 0; i < coordinates.length; i++) {
      coordinates[i] = new double[most];
    }
    this.positions = new long[most];
    this.tails = new int[most];
    this.tailBytes = new byte[file.pageSize()];
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Box and first position of what was collected. */
  Bounds bounds() {
    return bounds;
  }

  /** Adds an entry if it fits; an empty leaf takes any that keeps the limits. */
  boolean tryAdd(Entry entry) {
    Slice key = entry.key();
    Slice value = entry.value();
    int prefix = SpatialKey.prefixLength(key);
    int primaryKeyLength = key.length() - prefix;
    int field = (primaryKeyLength << 1) | (entry.antimatter() ? 1 : 0);
    int newTailEnd = tailEnd + Varint.sizeOf(field) + primaryKeyLength + value.length();
    boolean point = SpatialKey.isPoint(key);
    int newCorners = point ? corners : 2;
    if (LeafLayout.end(count + 1, newCorners, newTailEnd) > page.length) {
      return false;
    }
    corners = newCorners;
    coordinates[0][count] = SpatialKey.minX(key);
    coordinates[1][count] = SpatialKey.minY(key);
    coordinates[2][count] = SpatialKey.maxX(key);
    coordinates[3][count] = SpatialKey.maxY(key);
    positions[count] = SpatialKey.position(key);
    bounds.add(this, count);
    tails[count] = tailEnd;
    int at = Varint.putInt(tailBytes, tailEnd, field);
    System.arraycopy(key.bytes(), key.offset() + prefix, tailBytes, at, primaryKeyLength);
    at += primaryKeyLength;
    System.arraycopy(value.bytes(), value.offset(), tailBytes, at, value.length());
    tailEnd = newTailEnd;
    count++;
    return true;
  }

  /** A coordinate of a collected entry: lowest x, lowest y, highest x, highest y. */
  double coordinate(int column, int slot) {
    return coordinates[column][slot];
  }

  long position(int slot) {
    return positions[slot];
  }

  /** Writes the leaf, empties this builder but for the bounds, and returns the page's number. */
  int write() throws StorageException {
    int end = LeafLayout.end(count, corners, tailEnd);
    Bytes.putShort(page, LeafLayout.COUNT, count);
    page[LeafLayout.DIMENSIONS] = (byte) (coordinates.length / 2);
    page[LeafLayout.CORNERS] = (byte) corners;
    Bytes.putInt(page, LeafLayout.END, end);
    int at = LeafLayout.COLUMNS;
    for (int column = 0; column < 2 * corners; column++) {
      double[] values = coordinates[column];
      for (int i = 0; i < count; i++, at += Double.BYTES) {
        Bytes.putLong(page, at, Double.doubleToRawLongBits(values[i]));
      }
    }
    for (int i = 0; i < count; i++, at += Long.BYTES) {
      Bytes.putLong(page, at, positions[i]);
    }
    int startBytes = LeafLayout.startBytes(end);
    int tailsAt = at + startBytes * count;
    for (int i = 0; i < count; i++, at += startBytes) {
      if (startBytes == Short.BYTES) {
        Bytes.putShort(page, at, tailsAt + tails[i]);
      } else {
        Bytes.putInt(page, at, tailsAt + tails[i]);
      }
    }
    System.arraycopy(tailBytes, 0, page, at, tailEnd);
    assert at + tailEnd == end;
    Arrays.fill(page, end, page.length, (byte) 0);
    count = 0;
    corners = 1;
    tailEnd = 0;
    return file.append(LeafLayout.KIND, page, 1);
  }
}
