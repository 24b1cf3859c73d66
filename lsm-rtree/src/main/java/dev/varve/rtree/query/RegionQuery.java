package dev.varve.rtree.query;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.EntryCursor;
import dev.varve.rtree.geometry.Distances;
import dev.varve.rtree.geometry.Rectangle;

/**
 * The entries that lie in a region. Every kind of region has a window, which all its entries
 * intersect; components look for those, and ask {@link #accepts} about what they found. Immutable
 * and thread-safe.
 */
public final class RegionQuery implements SpatialQuery {
  /** What an entry must do beyond intersecting the window. */
  private enum Rule {
    NOTHING,
    LIE_INSIDE,
    BE_NEAR
  }

  private static final RegionQuery EVERYTHING =
      new RegionQuery(
          Rule.NOTHING,
          Double.NEGATIVE_INFINITY,
          Double.NEGATIVE_INFINITY,
          Double.POSITIVE_INFINITY,
          Double.POSITIVE_INFINITY);

  private final Rule rule;
  private final double minX;
  private final double minY;
  private final double maxX;
  private final double maxY;

  /** Used when entries have to be near a point. */
  private final double x;

  private final double y;
  private final double distance;

  private RegionQuery(Rule rule, double minX, double minY, double maxX, double maxY) {
    this.rule = rule;
    this.minX = minX;
    this.minY = minY;
    this.maxX = maxX;
    this.maxY = maxY;
    this.x = 0;
    this.y = 0;
    this.distance = 0;
  }

  private RegionQuery(double x, double y, double distance) {
    this.rule = Rule.BE_NEAR;
    // The window is rounded outwards: entries exactly at the distance must not fall out of it.
    this.minX = Math.nextDown(x - distance);
    this.minY = Math.nextDown(y - distance);
    this.maxX = Math.nextUp(x + distance);
    this.maxY = Math.nextUp(y + distance);
    this.x = x;
    this.y = y;
    this.distance = distance;
  }

  /** All entries. */
  public static RegionQuery everything() {
    return EVERYTHING;
  }

  /** The entries that have a point in common with a rectangle, borders included. */
  public static RegionQuery intersecting(Rectangle r) {
    return new RegionQuery(Rule.NOTHING, r.minX(), r.minY(), r.maxX(), r.maxY());
  }

  /** The entries that lie in a rectangle as a whole, borders included. */
  public static RegionQuery containedIn(Rectangle r) {
    return new RegionQuery(Rule.LIE_INSIDE, r.minX(), r.minY(), r.maxX(), r.maxY());
  }

  /**
   * The entries that a point lies in, borders included.
   *
   * @throws RequestException when a coordinate is not finite
   */
  public static RegionQuery containing(double x, double y) throws RequestException {
    return intersecting(Rectangle.point(x, y));
  }

  /**
   * The entries of which some point is at most so far from a point.
   *
   * @throws RequestException when a coordinate or the distance is not finite, or the distance is
   *     negative
   */
  public static RegionQuery within(double distance, double x, double y) throws RequestException {
    Rectangle center = Rectangle.point(x, y);
    if (!(distance >= 0 && distance <= Double.MAX_VALUE)) {
      throw new RequestException(
          RequestException.Reason.MALFORMED_RECORD, "no distance: " + distance);
    }
    return new RegionQuery(center.minX(), center.minY(), distance);
  }

  /** Lowest x of the window. */
  public double minX() {
    return minX;
  }

  /** Lowest y of the window. */
  public double minY() {
    return minY;
  }

  /** Highest x of the window. */
  public double maxX() {
    return maxX;
  }

  /** Highest y of the window. */
  public double maxY() {
    return maxY;
  }

  /** Whether entries that intersect the window have to be shown to {@link #accepts}. */
  public boolean isSelective() {
    return rule != Rule.NOTHING;
  }

  /** Whether an entry that intersects the window is in the region. */
  public boolean accepts(double lowX, double lowY, double highX, double highY) {
    return switch (rule) {
      case NOTHING -> true;
      case LIE_INSIDE -> lowX >= minX && lowY >= minY && highX <= maxX && highY <= maxY;
      case BE_NEAR -> isNear(lowX, lowY, highX, highY);
    };
  }

  /** Whether there may be entries of the region in a box that intersects the window. */
  public boolean reaches(double lowX, double lowY, double highX, double highY) {
    return rule != Rule.BE_NEAR || isNear(lowX, lowY, highX, highY);
  }

  private boolean isNear(double lowX, double lowY, double highX, double highY) {
    double dx = Distances.outside(x, lowX, highX);
    double dy = Distances.outside(y, lowY, highY);
    return Distances.of(dx, dy) <= distance;
  }

  @Override
  @MustBeClosed
  public EntryCursor openIn(SpatialSource source) throws StorageException {
    return source.search(this);
  }

  @Override
  public String toString() {
    return rule == Rule.BE_NEAR
        ? "within " + distance + " of " + x + ", " + y
        : (rule == Rule.NOTHING ? "intersecting " : "contained in ")
            + minX
            + ", "
            + minY
            + " to "
            + maxX
            + ", "
            + maxY;
  }
}
