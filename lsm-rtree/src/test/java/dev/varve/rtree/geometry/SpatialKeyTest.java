package dev.varve.rtree.geometry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.RequestException;
import dev.varve.common.testkit.Seeds;
import dev.varve.rtree.SpatialData;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys give back what they were made of, and order by curve, place and primary key. */
class SpatialKeyTest {
  private static final long SEED = 20261121;
  private static final Slice PRIMARY_KEY = new Slice(new byte[] {1, 2, 3});

  private final SpatialKeyEncoder encoder = new SpatialKeyEncoder();

  @ParameterizedTest
  @EnumSource(SpatialData.class)
  void aKeyGivesBackItsRectangleAndPrimaryKey(SpatialData data) {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    Slice found = new Slice();
    for (int i = 0; i < 10_000; i++) {
      Rectangle rectangle = data.next(random);
      Slice key = encoder.encode(rectangle, PRIMARY_KEY);
      assertTrue(SpatialKey.isWellFormed(key), rectangle::toString);
      assertEquals(rectangle, SpatialKey.rectangle(key));
      assertEquals(rectangle.isPoint(), SpatialKey.isPoint(key));
      assertEquals(HilbertCurve.position(rectangle), SpatialKey.position(key));
      assertTrue(SpatialKey.viewPrimaryKey(key, found).sameBytes(PRIMARY_KEY));
    }
  }

  @Test
  void aPointStandsInItsKeyOnce() {
    assertEquals(25 + 3, encoder.encode(new Rectangle(1, 2, 1, 2), PRIMARY_KEY).length());
    assertEquals(41 + 3, encoder.encode(new Rectangle(1, 2, 1, 3), PRIMARY_KEY).length());
  }

  @Test
  void negativeZeroIsZero() {
    byte[] zero = encoder.encode(new Rectangle(0, 0, 0, 0), PRIMARY_KEY).toByteArray();
    byte[] negative = encoder.encode(new Rectangle(-0.0, -0.0, 0, -0.0), PRIMARY_KEY).toByteArray();
    assertEquals(new Slice(zero).toString(), new Slice(negative).toString());
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void whatIsNotFiniteIsRefused(double value) {
    assertThrows(RequestException.class, () -> Rectangle.point(value, 0));
    assertThrows(RequestException.class, () -> Rectangle.point(0, value));
    assertThrows(RequestException.class, () -> Rectangle.of(0, 0, value, 1));
    assertThrows(RequestException.class, () -> Rectangle.of(0, 0, 1, value));
    assertThrows(IllegalArgumentException.class, () -> new Rectangle(value, 0, 1, 1));
  }

  @Test
  void cornersTheWrongWayRoundAreRefused() {
    assertThrows(RequestException.class, () -> Rectangle.of(2, 0, 1, 1));
    assertThrows(RequestException.class, () -> Rectangle.of(0, 2, 1, 1));
  }

  @Test
  void coordinatesInKeysOrderAsNumbers() {
    double[] values = {
      -Double.MAX_VALUE, -1.5, -Double.MIN_VALUE, 0, Double.MIN_VALUE, 1, Math.nextUp(1), 1e300
    };
    byte[] last = new byte[8];
    for (double value : values) {
      byte[] bytes = new byte[8];
      SpatialKey.putCoordinate(bytes, 0, value);
      assertTrue(Arrays.compareUnsigned(last, bytes) < 0, () -> "at " + value);
      last = bytes;
    }
  }

  @Test
  void otherBytesAreNoKeys() {
    byte[] good = encoder.encode(new Rectangle(1, 2, 3, 4), PRIMARY_KEY).toByteArray();
    assertTrue(SpatialKey.isWellFormed(new Slice(good)));
    assertFalse(SpatialKey.isWellFormed(new Slice(good, 0, 24)));
    assertFalse(SpatialKey.isWellFormed(new Slice(good, 0, 40)));
    byte[] otherShape = good.clone();
    otherShape[SpatialKeyLayout.SHAPE] = 3;
    assertFalse(SpatialKey.isWellFormed(new Slice(otherShape)));
    byte[] notFinite = good.clone();
    SpatialKey.putCoordinate(notFinite, SpatialKeyLayout.COORDINATES, Double.NEGATIVE_INFINITY);
    assertFalse(SpatialKey.isWellFormed(new Slice(notFinite)));
    byte[] crossed = good.clone();
    SpatialKey.putCoordinate(crossed, SpatialKeyLayout.COORDINATES, 3.5);
    assertFalse(SpatialKey.isWellFormed(new Slice(crossed)));
    byte[] pointTwice = good.clone();
    SpatialKey.putCoordinate(pointTwice, SpatialKeyLayout.COORDINATES, 3);
    SpatialKey.putCoordinate(pointTwice, SpatialKeyLayout.COORDINATES + 8, 4);
    assertFalse(SpatialKey.isWellFormed(new Slice(pointTwice)));
  }
}
