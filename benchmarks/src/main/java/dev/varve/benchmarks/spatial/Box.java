package dev.varve.benchmarks.spatial;

/**
 * A rectangle that is asked for.
 *
 * @param minX least longitude
 * @param minY least latitude
 * @param maxX greatest longitude
 * @param maxY greatest latitude
 */
public record Box(double minX, double minY, double maxX, double maxY) {
  double middleX() {
    return (minX + maxX) / 2;
  }

  double middleY() {
    return (minY + maxY) / 2;
  }
}
