package dev.varve.rtree;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.format.Entry;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.geometry.SpatialKey;
import dev.varve.rtree.geometry.SpatialKeyEncoder;
import java.util.random.RandomGenerator;

/** Where the points and rectangles of a test lie. */
public enum SpatialData {
  /** A few places with many points around each, as in section 6.2 of the paper. */
  CLUSTERS {
    @Override
    public Rectangle next(RandomGenerator random) {
      int cluster = random.nextInt(20);
      double x = -120 + cluster * 2.5 + random.nextDouble(-0.25, 0.25);
      double y = 30 + (cluster * 7 % 20) + random.nextDouble(-0.25, 0.25);
      return new Rectangle(x, y, x, y);
    }
  },
  /** So few places that most entries share one with others, on and around zero. */
  CROWDED {
    @Override
    public Rectangle next(RandomGenerator random) {
      double x = random.nextInt(-2, 3) * 0.5;
      double y = random.nextInt(-2, 3);
      return new Rectangle(x, y, x, y);
    }
  },
  /** Rectangles of all sizes. */
  RECTANGLES {
    @Override
    public Rectangle next(RandomGenerator random) {
      double x = random.nextDouble(-180, 180);
      double y = random.nextDouble(-90, 90);
      double size = Math.pow(10, random.nextDouble(-6, 2));
      return new Rectangle(x, y, x + random.nextDouble() * size, y + random.nextDouble() * size);
    }
  },
  /** Points and rectangles, of all magnitudes that doubles have. */
  EXTREMES {
    @Override
    public Rectangle next(RandomGenerator random) {
      double x = magnitude(random);
      double y = magnitude(random);
      if (random.nextBoolean()) {
        return new Rectangle(x, y, x, y);
      }
      double otherX = magnitude(random);
      double otherY = magnitude(random);
      return new Rectangle(
          Math.min(x, otherX), Math.min(y, otherY), Math.max(x, otherX), Math.max(y, otherY));
    }
  };

  /** A point or rectangle. */
  public abstract Rectangle next(RandomGenerator random);

  private static double magnitude(RandomGenerator random) {
    double value =
        switch (random.nextInt(4)) {
          case 0 -> random.nextInt(3) * Double.MIN_VALUE;
          case 1 -> Math.scalb(random.nextDouble(1, 2), random.nextInt(-1022, 1024));
          case 2 -> Math.scalb(random.nextDouble(1, 2), random.nextInt(-20, 20));
          default -> random.nextInt(4);
        };
    return random.nextBoolean() ? value : -value;
  }

  /** The number that is the primary key in the key of an entry. */
  public static int id(Slice key) {
    Slice primaryKey = SpatialKey.viewPrimaryKey(key, new Slice());
    return Integer.reverseBytes(Bytes.getInt(primaryKey.bytes(), primaryKey.offset()));
  }

  /** An entry of a record that has a number for its primary key. */
  public static Entry entry(Rectangle rectangle, int id) {
    byte[] primaryKey = new byte[4];
    Bytes.putInt(primaryKey, 0, Integer.reverseBytes(id));
    Entry entry = new Entry();
    entry.key().copyOf(new SpatialKeyEncoder().encode(rectangle, new Slice(primaryKey)));
    return entry;
  }
}
