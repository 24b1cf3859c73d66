package dev.varve.rtree.geometry;

/**
 * Bytes of the key of a spatial entry; see docs/format/rtree.md.
 *
 * <pre>
 *  offset  bytes  field
 *       0      8  position of the centre on the Hilbert curve, big-endian
 *       8      1  shape: number of dimensions, plus 0x80 for two corners
 *       9   8 * d  lowest coordinate of each dimension, in the order of doubles
 *       .   8 * d  highest coordinate of each dimension; only with two corners
 *       .     ..  primary key
 * </pre>
 */
public final class SpatialKeyLayout {
  /** Offset of the position on the curve. */
  public static final int POSITION = 0;

  /** Offset of the shape. */
  public static final int SHAPE = 8;

  /** Offset of the coordinates. */
  public static final int COORDINATES = 9;

  /** The only number of dimensions that this version writes. */
  public static final int DIMENSIONS = 2;

  /** Shape of a point. */
  public static final byte POINT = DIMENSIONS;

  /** Shape of a rectangle whose corners differ. */
  public static final byte RECTANGLE = (byte) (0x80 | DIMENSIONS);

  /** Offset of the primary key behind a point. */
  public static final int BEHIND_POINT = COORDINATES + DIMENSIONS * Double.BYTES;

  /** Offset of the primary key behind a rectangle. */
  public static final int BEHIND_RECTANGLE = BEHIND_POINT + DIMENSIONS * Double.BYTES;

  private SpatialKeyLayout() {}
}
