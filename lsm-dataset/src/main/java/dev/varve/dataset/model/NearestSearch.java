package dev.varve.dataset.model;

/**
 * All records with a point or rectangle, nearest first, for R-trees: who wants k of them stops
 * after k. Records that are equally far come in an order that only their places and keys decide, so
 * that a search asked twice answers the same.
 *
 * @param x where distances are measured from
 * @param y where distances are measured from
 */
public record NearestSearch(double x, double y) implements IndexSearch {
  /** Checks that the point is one: it has finite coordinates. */
  public NearestSearch {
    if (!Double.isFinite(x) || !Double.isFinite(y)) {
      throw new IllegalArgumentException("no point to measure from: " + x + ", " + y);
    }
  }
}
