package dev.varve.rtree.geometry;

import dev.varve.common.error.RequestException;

/**
 * A closed rectangle with finite corners; a point when both are the same. A value; -0.0 is 0.0.
 *
 * @param minX lowest x
 * @param minY lowest y
 * @param maxX highest x
 * @param maxY highest y
 */
public record Rectangle(double minX, double minY, double maxX, double maxY) {
  /**
   * For corners that are known to be good.
   *
   * @throws IllegalArgumentException for NaN, an infinity, or a minimum above its maximum
   */
  public Rectangle {
    if (!(minX <= maxX && minY <= maxY) || !isFinite(minX, minY) || !isFinite(maxX, maxY)) {
      throw new IllegalArgumentException(problem(minX, minY, maxX, maxY));
    }
    minX += 0.0;
    minY += 0.0;
    maxX += 0.0;
    maxY += 0.0;
  }

  /**
   * A rectangle of corners that come from outside.
   *
   * @throws RequestException for NaN, an infinity, or a minimum above its maximum
   */
  public static Rectangle of(double minX, double minY, double maxX, double maxY)
      throws RequestException {
    if (!(minX <= maxX && minY <= maxY) || !isFinite(minX, minY) || !isFinite(maxX, maxY)) {
      throw new RequestException(
          RequestException.Reason.MALFORMED_RECORD, problem(minX, minY, maxX, maxY));
    }
    return new Rectangle(minX, minY, maxX, maxY);
  }

  /**
   * A point whose coordinates come from outside.
   *
   * @throws RequestException for NaN or an infinity
   */
  public static Rectangle point(double x, double y) throws RequestException {
    return of(x, y, x, y);
  }

  private static boolean isFinite(double a, double b) {
    return Double.isFinite(a) && Double.isFinite(b);
  }

  private static String problem(double minX, double minY, double maxX, double maxY) {
    return "no rectangle with finite corners: x from "
        + minX
        + " to "
        + maxX
        + ", y from "
        + minY
        + " to "
        + maxY;
  }

  /** Whether both corners are the same. */
  public boolean isPoint() {
    return minX == maxX && minY == maxY;
  }

  /** Whether this rectangle and another one have a point in common. */
  public boolean intersects(Rectangle other) {
    return minX <= other.maxX && maxX >= other.minX && minY <= other.maxY && maxY >= other.minY;
  }

  /** Whether every point of another rectangle is in this one. */
  public boolean contains(Rectangle other) {
    return minX <= other.minX && maxX >= other.maxX && minY <= other.minY && maxY >= other.maxY;
  }
}
