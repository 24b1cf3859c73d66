package dev.varve.rtree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.PageFileWriter;
import dev.varve.rtree.geometry.SpatialKeyLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Collects the children of one level of interior pages and writes its pages, one whenever it is
 * full. The level above comes into being with the second page. Confined.
 */
final class InteriorBuilder {
  private final PageFileWriter file;
  private final int level;
  private final byte[] page;
  private final double[][] bounds = new double[4][];
  private final long[] positions;
  private final int[] children;
  private int count;
  private @Nullable InteriorBuilder parent;

  InteriorBuilder(PageFileWriter file, int level) {
    assert level <= InteriorLayout.MAX_LEVEL;
    this.file = file;
    this.level = level;
    this.page = new byte[file.pageSize()];
    int capacity = InteriorLayout.capacity(file.pageSize());
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = new double[capacity];
    }
    this.positions = new long[capacity];
    this.children = new int[capacity];
  }

  /** Adds a child to the right of those that are there. */
  void add(int child, Bounds box) throws StorageException {
    if (count == children.length) {
      writePage();
    }
    bounds[0][count] = box.minX;
    bounds[1][count] = box.minY;
    bounds[2][count] = box.maxX;
    bounds[3][count] = box.maxY;
    positions[count] = box.position;
    children[count] = child;
    count++;
  }

  /** Writes what is left on this level and above, and returns the root's page number. */
  int finish() throws StorageException {
    if (parent == null) {
      return count == 1 ? children[0] : append();
    }
    writePage();
    return parent.finish();
  }

  private void writePage() throws StorageException {
    Bounds box = new Bounds();
    box.position = positions[0];
    for (int i = 0; i < count; i++) {
      box.minX = Math.min(box.minX, bounds[0][i]);
      box.minY = Math.min(box.minY, bounds[1][i]);
      box.maxX = Math.max(box.maxX, bounds[2][i]);
      box.maxY = Math.max(box.maxY, bounds[3][i]);
    }
    int written = append();
    if (parent == null) {
      parent = new InteriorBuilder(file, level + 1);
    }
    parent.add(written, box);
  }

  private int append() throws StorageException {
    Arrays.fill(page, (byte) 0);
    Bytes.putShort(page, InteriorLayout.COUNT, count);
    page[InteriorLayout.DIMENSIONS] = SpatialKeyLayout.DIMENSIONS;
    page[InteriorLayout.LEVEL] = (byte) level;
    int at = InteriorLayout.COLUMNS;
    for (double[] column : bounds) {
      for (int i = 0; i < count; i++, at += Double.BYTES) {
        Bytes.putLong(page, at, Double.doubleToRawLongBits(column[i]));
      }
    }
    for (int i = 0; i < count; i++, at += Long.BYTES) {
      Bytes.putLong(page, at, positions[i]);
    }
    for (int i = 0; i < count; i++, at += Integer.BYTES) {
      Bytes.putInt(page, at, children[i]);
    }
    assert at == InteriorLayout.end(count);
    count = 0;
    return file.append(InteriorLayout.KIND, page, 1);
  }
}
