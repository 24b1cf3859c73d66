package dev.varve.rtree.geometry;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import java.util.Arrays;

/**
 * Makes the keys of spatial entries: the position on the Hilbert curve, computed here and nowhere
 * again, the coordinates, and the primary key. An entry and the antimatter that deletes it have the
 * same key, so they meet in a merge as in any index. The buffer is reused. Confined to its owner.
 *
 * <p>Format: docs/format/rtree.md.
 */
public final class SpatialKeyEncoder {
  private final Slice view = new Slice();
  private byte[] buffer = new byte[64];

  /** An encoder with an empty buffer. */
  public SpatialKeyEncoder() {}

  /** The key of a point or rectangle of a record; a view that holds until the next call. */
  public Slice encode(Rectangle rectangle, Slice primaryKey) {
    boolean point = rectangle.isPoint();
    int prefix = point ? SpatialKeyLayout.BEHIND_POINT : SpatialKeyLayout.BEHIND_RECTANGLE;
    int length = Math.addExact(prefix, primaryKey.length());
    if (buffer.length < length) {
      buffer = Arrays.copyOf(buffer, Math.max(length, 2 * buffer.length));
    }
    Bytes.putLongBigEndian(buffer, SpatialKeyLayout.POSITION, HilbertCurve.position(rectangle));
    buffer[SpatialKeyLayout.SHAPE] = point ? SpatialKeyLayout.POINT : SpatialKeyLayout.RECTANGLE;
    int at = SpatialKeyLayout.COORDINATES;
    SpatialKey.putCoordinate(buffer, at, rectangle.minX());
    SpatialKey.putCoordinate(buffer, at + Double.BYTES, rectangle.minY());
    if (!point) {
      SpatialKey.putCoordinate(buffer, at + 2 * Double.BYTES, rectangle.maxX());
      SpatialKey.putCoordinate(buffer, at + 3 * Double.BYTES, rectangle.maxY());
    }
    System.arraycopy(primaryKey.bytes(), primaryKey.offset(), buffer, prefix, primaryKey.length());
    return view.set(buffer, 0, length);
  }
}
