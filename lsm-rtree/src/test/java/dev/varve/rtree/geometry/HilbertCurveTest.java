package dev.varve.rtree.geometry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.testkit.Seeds;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The curve passes through every cell, from neighbour to neighbour, at every scale. */
class HilbertCurveTest {
  private static final long SEED = 20261121;

  /** The curve one bit after the other, as in Hilbert's drawing. */
  private static long slowPosition(int x, int y) {
    long position = 0;
    long left = x & 0xFFFFFFFFL;
    long low = y & 0xFFFFFFFFL;
    for (long half = 1L << 31; half > 0; half >>= 1) {
      long across = (left & half) != 0 ? 1 : 0;
      long up = (low & half) != 0 ? 1 : 0;
      position = (position << 2) | ((3 * across) ^ up);
      if (up == 0) {
        if (across == 1) {
          left = ~left;
          low = ~low;
        }
        long swap = left;
        left = low;
        low = swap;
      }
    }
    return position;
  }

  @Test
  void theTableGivesWhatOneBitAfterTheOtherGives() {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    for (int i = 0; i < 100_000; i++) {
      int x = random.nextInt();
      int y = random.nextInt();
      assertEquals(slowPosition(x, y), HilbertCurve.position(x, y), () -> x + ", " + y);
    }
  }

  /** Cells of a coarse grid, and, at the other end, single cells of the curve somewhere. */
  @Test
  void theCurveGoesFromNeighbourToNeighbour() {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    assertConnected(27, 0, 0);
    for (int i = 0; i < 20; i++) {
      assertConnected(0, random.nextInt() & -32, random.nextInt() & -32);
    }
  }

  private static void assertConnected(int shift, int firstX, int firstY) {
    long[] cells = new long[1024];
    for (int i = 0; i < cells.length; i++) {
      int x = firstX + ((i & 31) << shift);
      int y = firstY + ((i >>> 5) << shift);
      cells[i] = ((HilbertCurve.position(x, y) >>> (2 * shift)) << 10) | i;
    }
    // At the finer scale only the lowest bits differ, so nothing is lost by the shift.
    Arrays.sort(cells);
    for (int i = 1; i < cells.length; i++) {
      assertEquals((cells[i - 1] >>> 10) + 1, cells[i] >>> 10, "a cell is left out");
      int a = (int) cells[i - 1] & 1023;
      int b = (int) cells[i] & 1023;
      int distance = Math.abs((a & 31) - (b & 31)) + Math.abs((a >>> 5) - (b >>> 5));
      assertEquals(1, distance, "not a neighbour");
    }
  }

  @Test
  void codesAreMonotoneOverAllDoubles() {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    double[] values = new double[200_000];
    for (int i = 0; i < values.length; i++) {
      double value = Double.longBitsToDouble(random.nextLong());
      values[i] = Double.isFinite(value) ? value + 0.0 : random.nextDouble(-300, 300);
    }
    double[] corners = {
      0,
      Double.MIN_VALUE,
      0x1p-16,
      Math.nextDown(0x1p-16),
      256,
      Math.nextDown(256.0),
      Double.MAX_VALUE
    };
    for (int i = 0; i < corners.length; i++) {
      values[2 * i] = corners[i];
      values[2 * i + 1] = 0.0 - corners[i];
    }
    Arrays.sort(values);
    for (int i = 1; i < values.length; i++) {
      double low = values[i - 1];
      double high = values[i];
      assertTrue(
          Integer.compareUnsigned(HilbertCurve.code(low), HilbertCurve.code(high)) <= 0,
          () -> low + " and " + high);
    }
  }

  @Test
  void codesOfDegreesAreEvenlySpaced() {
    for (int degrees = -255; degrees < 255; degrees++) {
      if (degrees != 0 && degrees != -1) {
        int step = HilbertCurve.code(degrees + 1) - HilbertCurve.code(degrees);
        assertEquals(1 << 22, step, "from " + degrees);
      }
    }
  }

  /** Runs of the curve through degrees are compact, near the equator too. */
  @Test
  void runsOfTheCurveAreCompact() {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    for (double latitude : new double[] {0, 0.01, 45, -89}) {
      int points = 4096;
      double[][] byPosition = new double[points][];
      for (int i = 0; i < points; i++) {
        double x = 100 + random.nextDouble();
        double y = latitude + random.nextDouble();
        byPosition[i] = new double[] {x, y};
      }
      Arrays.sort(
          byPosition,
          (a, b) ->
              Long.compareUnsigned(
                  HilbertCurve.position(a[0], a[1]), HilbertCurve.position(b[0], b[1])));
      double margins = 0;
      for (int from = 0; from < points; from += 64) {
        Rectangle box =
            new Rectangle(
                byPosition[from][0], byPosition[from][1], byPosition[from][0], byPosition[from][1]);
        for (int i = from; i < from + 64; i++) {
          box =
              new Rectangle(
                  Math.min(box.minX(), byPosition[i][0]), Math.min(box.minY(), byPosition[i][1]),
                  Math.max(box.maxX(), byPosition[i][0]), Math.max(box.maxY(), byPosition[i][1]));
        }
        margins += box.maxX() - box.minX() + box.maxY() - box.minY();
      }
      double mean = margins * 64 / points;
      // 64 squares of an eighth of a degree would have margins of a quarter.
      assertTrue(mean < 0.4, "at latitude " + latitude + ": " + mean);
    }
  }
}
