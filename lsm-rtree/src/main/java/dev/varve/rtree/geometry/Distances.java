package dev.varve.rtree.geometry;

/** Euclidean distances in the plane. Thread-safe: no state. */
public final class Distances {
  /** Below this the sum of squares may have lost bits to underflow. */
  private static final double LEAST_SQUARE = 1e-290;

  private Distances() {}

  /** How far a coordinate is from an interval; 0 within. */
  public static double outside(double value, double low, double high) {
    return Math.max(0, Math.max(low - value, value - high));
  }

  /** Distance from two differences of coordinates; infinite only beyond the largest double. */
  public static double of(double dx, double dy) {
    double square = dx * dx + dy * dy;
    return square > LEAST_SQUARE && square < Double.POSITIVE_INFINITY
        ? Math.sqrt(square)
        : Math.hypot(dx, dy);
  }
}
