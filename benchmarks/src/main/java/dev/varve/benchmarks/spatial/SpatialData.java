package dev.varve.benchmarks.spatial;

import dev.varve.benchmarks.index.Digest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The points of section 6.2 of Storage Management in AsterixDB: about 4,500 places of the United
 * States, each with points within a quarter of a degree, as many as a place has inhabitants: the
 * i-th largest in proportion to 1/i. The paper took the places from a dataset that is not public;
 * here they lie at random. Records have 40 bytes, four doubles and a primary key of 64 bits that
 * increases.
 *
 * <p>Coordinates are multiples of 360/2³² and 180/2³² of a degree, which all stores can hold
 * exactly, Lucene's points on the globe included. Immutable.
 */
public final class SpatialData {
  /** Bytes of a record: two corners, which are the same, and the primary key. */
  public static final int RECORD_BYTES = 4 * Double.BYTES + Long.BYTES;

  private static final int CLUSTERS = 4_500;

  /** How far the points of a cluster are from its middle. */
  private static final double RADIUS = 0.25;

  private static final double SIDE = 2 * RADIUS;
  private static final double WEST = -124;
  private static final double SOUTH = 25.5;
  private static final double WIDTH = 57;
  private static final double HEIGHT = 23;
  private static final double STEPS = 1L << 32;
  private static final double LONGITUDE_STEP = 360 / STEPS;
  private static final double LATITUDE_STEP = 180 / STEPS;

  private final long seed;
  private final double[] clusterX = new double[CLUSTERS];
  private final double[] clusterY = new double[CLUSTERS];
  private final double[] x;
  private final double[] y;

  /** Makes points; a longer sequence of the same seed begins with a shorter one. */
  public SpatialData(int points, long seed) {
    this.seed = seed;
    SplittableRandom places = new SplittableRandom(Digest.mix(seed));
    for (int cluster = 0; cluster < CLUSTERS; cluster++) {
      clusterX[cluster] = WEST + places.nextDouble() * WIDTH;
      clusterY[cluster] = SOUTH + places.nextDouble() * HEIGHT;
    }
    double[] upTo = new double[CLUSTERS];
    double sum = 0;
    for (int cluster = 0; cluster < CLUSTERS; cluster++) {
      sum += weight(cluster);
      upTo[cluster] = sum;
    }
    SplittableRandom random = new SplittableRandom(Digest.mix(seed + 1));
    this.x = new double[points];
    this.y = new double[points];
    for (int point = 0; point < points; point++) {
      int found = Arrays.binarySearch(upTo, random.nextDouble() * sum);
      int cluster = Math.min(CLUSTERS - 1, found < 0 ? -found - 1 : found);
      x[point] = onGrid(clusterX[cluster] + shift(random), LONGITUDE_STEP);
      y[point] = onGrid(clusterY[cluster] + shift(random), LATITUDE_STEP);
    }
  }

  private static double weight(int cluster) {
    return 1.0 / (cluster + 1);
  }

  private static double shift(SplittableRandom random) {
    return (random.nextDouble() - 0.5) * SIDE;
  }

  private static double onGrid(double degrees, double step) {
    return Math.rint(degrees / step) * step;
  }

  /** How many points there are. */
  public int points() {
    return x.length;
  }

  /** Longitude of a point. */
  public double x(int point) {
    return x[point];
  }

  /** Latitude of a point. */
  public double y(int point) {
    return y[point];
  }

  /**
   * Makes queries as the paper does: a cluster is chosen at random, its rectangle is the smaller
   * the more points the cluster has, those of clusters that overlap it included, and lies within
   * the cluster. Clusters with too few points are not chosen, as long as there are others.
   *
   * @param results how many points a rectangle should hold
   */
  public List<Box> boxes(int count, int results, long choice) {
    double[] expected = expectedPoints();
    List<Integer> candidates = new ArrayList<>();
    for (int cluster = 0; cluster < CLUSTERS; cluster++) {
      if (expected[cluster] >= results) {
        candidates.add(cluster);
      }
    }
    if (candidates.isEmpty()) {
      candidates.add(0);
    }
    SplittableRandom random = new SplittableRandom(Digest.mix(seed + 2 + choice));
    List<Box> boxes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int cluster = candidates.get(random.nextInt(candidates.size()));
      double side = SIDE * Math.sqrt(Math.min(1, results / expected[cluster]));
      double minX = clusterX[cluster] - RADIUS + random.nextDouble() * (SIDE - side);
      double minY = clusterY[cluster] - RADIUS + random.nextDouble() * (SIDE - side);
      assert side > 0 && side <= SIDE : "a side of " + side;
      boxes.add(new Box(minX, minY, minX + side, minY + side));
    }
    return boxes;
  }

  /** How many points each cluster's square holds, by its weight and that of what overlaps it. */
  private double[] expectedPoints() {
    double[] expected = new double[CLUSTERS];
    double sum = 0;
    for (int cluster = 0; cluster < CLUSTERS; cluster++) {
      sum += weight(cluster);
      for (int other = 0; other < CLUSTERS; other++) {
        double width = SIDE - Math.abs(clusterX[cluster] - clusterX[other]);
        double height = SIDE - Math.abs(clusterY[cluster] - clusterY[other]);
        if (width > 0 && height > 0) {
          expected[cluster] += weight(other) * width * height / (SIDE * SIDE);
        }
      }
    }
    for (int cluster = 0; cluster < CLUSTERS; cluster++) {
      expected[cluster] *= points() / sum;
    }
    return expected;
  }
}
