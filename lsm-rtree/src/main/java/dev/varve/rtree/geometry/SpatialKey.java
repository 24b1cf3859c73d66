package dev.varve.rtree.geometry;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;

/**
 * Looks into keys of spatial entries, which {@link SpatialKeyEncoder} makes. Thread-safe: no state.
 *
 * <p>Format: docs/format/rtree.md.
 */
public final class SpatialKey {
  private SpatialKey() {}

  /** Whether bytes have the form of a key: a known shape, and finite coordinates in order. */
  public static boolean isWellFormed(Slice key) {
    byte[] bytes = key.bytes();
    int at = key.offset();
    if (key.length() < SpatialKeyLayout.BEHIND_POINT) {
      return false;
    }
    byte shape = bytes[at + SpatialKeyLayout.SHAPE];
    double minX = coordinate(bytes, at, 0);
    double minY = coordinate(bytes, at, 1);
    boolean finite = Double.isFinite(minX) && Double.isFinite(minY);
    if (shape == SpatialKeyLayout.POINT) {
      return finite;
    }
    if (shape != SpatialKeyLayout.RECTANGLE || key.length() < SpatialKeyLayout.BEHIND_RECTANGLE) {
      return false;
    }
    double maxX = coordinate(bytes, at, 2);
    double maxY = coordinate(bytes, at, 3);
    return finite
        && Double.isFinite(maxX)
        && Double.isFinite(maxY)
        && minX <= maxX
        && minY <= maxY
        && (minX < maxX || minY < maxY);
  }

  /** Position on the Hilbert curve. */
  public static long position(Slice key) {
    return Bytes.getLongBigEndian(key.bytes(), key.offset() + SpatialKeyLayout.POSITION);
  }

  /** Whether the key is a point's. */
  public static boolean isPoint(Slice key) {
    return key.bytes()[key.offset() + SpatialKeyLayout.SHAPE] == SpatialKeyLayout.POINT;
  }

  /** Lowest x. */
  public static double minX(Slice key) {
    return coordinate(key.bytes(), key.offset(), 0);
  }

  /** Lowest y. */
  public static double minY(Slice key) {
    return coordinate(key.bytes(), key.offset(), 1);
  }

  /** Highest x. */
  public static double maxX(Slice key) {
    return coordinate(key.bytes(), key.offset(), isPoint(key) ? 0 : 2);
  }

  /** Highest y. */
  public static double maxY(Slice key) {
    return coordinate(key.bytes(), key.offset(), isPoint(key) ? 1 : 3);
  }

  /** The point or rectangle. */
  public static Rectangle rectangle(Slice key) {
    return new Rectangle(minX(key), minY(key), maxX(key), maxY(key));
  }

  /** Number of bytes before the primary key. */
  public static int prefixLength(Slice key) {
    return isPoint(key) ? SpatialKeyLayout.BEHIND_POINT : SpatialKeyLayout.BEHIND_RECTANGLE;
  }

  /** Points a slice at the primary key. */
  public static Slice viewPrimaryKey(Slice key, Slice primaryKey) {
    int prefix = prefixLength(key);
    return primaryKey.set(key.bytes(), key.offset() + prefix, key.length() - prefix);
  }

  /**
   * Writes a coordinate such that bytes order as doubles do, -0.0 excepted, which must not come.
   */
  public static void putCoordinate(byte[] bytes, int at, double value) {
    putCoordinateBits(bytes, at, Double.doubleToRawLongBits(value));
  }

  /** Writes a coordinate that is there as its 64 bits. */
  public static void putCoordinateBits(byte[] bytes, int at, long bits) {
    // Positive doubles order as their bits do; negative ones the other way round, and before them.
    Bytes.putLongBigEndian(bytes, at, bits ^ ((bits >> 63) | Long.MIN_VALUE));
  }

  private static double coordinate(byte[] bytes, int keyAt, int index) {
    int at = keyAt + SpatialKeyLayout.COORDINATES + Double.BYTES * index;
    long ordered = Bytes.getLongBigEndian(bytes, at);
    return Double.longBitsToDouble(ordered ^ (~(ordered >> 63) | Long.MIN_VALUE));
  }
}
