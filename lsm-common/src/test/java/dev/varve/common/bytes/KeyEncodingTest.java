package dev.varve.common.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.testkit.Seeds;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Encoded keys order as their values do, and decode to them. Method: random and edge values of all
 * types against a comparison of the values themselves.
 */
final class KeyEncodingTest {
  private static final int ROUNDS = 200_000;

  private static final long[] EDGE_LONGS = {
    0,
    1,
    -1,
    255,
    256,
    Integer.MIN_VALUE,
    Integer.MAX_VALUE,
    1L << 53,
    -(1L << 53),
    1L << 62,
    -(1L << 62),
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };

  private static final double[] EDGE_DOUBLES = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    Double.MIN_VALUE,
    -Double.MIN_VALUE,
    Double.MIN_NORMAL,
    0x1p53,
    -0x1p53,
    0x1p62,
    0x1p63,
    -0x1p63,
    0x1.0000000000001p63,
    -0x1.0000000000001p63,
    0x1p64,
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY
  };

  private static final String[] PIECES = {
    "",
    "\0",
    "\1",
    "a",
    "b",
    "\u007f",
    "\u0080",
    "\u07ff",
    "\u0800",
    "\ud7ff",
    "\ue000",
    "\uffff",
    "\ud800\udc00",
    "\udbff\udfff"
  };

  private final KeyEncoder encoder = new KeyEncoder();
  private final KeyDecoder decoder = new KeyDecoder();

  @Test
  void compositesOfAnyTypesOrderAsTheirValuesDoAndDecodeToThem() {
    RandomGenerator random = seeded();
    for (int round = 0; round < ROUNDS; round++) {
      int fields = 1 + random.nextInt(3);
      boolean[] descending = {
        random.nextInt(3) == 0, random.nextInt(3) == 0, random.nextInt(3) == 0
      };
      List<@Nullable Object> left = new ArrayList<>();
      List<@Nullable Object> right = new ArrayList<>();
      for (int i = 0; i < fields; i++) {
        left.add(value(random));
        right.add(random.nextInt(3) == 0 ? left.get(i) : value(random));
      }
      byte[] leftKey = encode(left, descending);
      byte[] rightKey = encode(right, descending);
      assertEquals(
          compare(left, right, descending),
          Integer.signum(Arrays.compareUnsigned(leftKey, rightKey)),
          () -> left + " and " + right);
      requireDecodes(left, leftKey, descending);
    }
  }

  @Test
  void neighboursOfEveryLargeNumberKeepTheirPlaces() {
    RandomGenerator random = seeded();
    for (int round = 0; round < ROUNDS; round++) {
      long value = longValue(random);
      if (value < Long.MAX_VALUE) {
        assertTrue(
            Arrays.compareUnsigned(
                    encoder.reset().addLong(value).toByteArray(),
                    new KeyEncoder().addLong(value + 1).toByteArray())
                < 0);
      }
      assertEquals(value, decoder.reset(encoder.reset().addLong(value).toSlice()).readLong());
    }
  }

  @Test
  void aWholeDoubleIsTheSameKeyAsTheLong() {
    for (long value : EDGE_LONGS) {
      if ((long) (double) value == value && value != Long.MAX_VALUE) {
        assertArrayEquals(
            new KeyEncoder().addLong(value).toByteArray(),
            new KeyEncoder().addDouble((double) value).toByteArray());
      }
    }
    assertEquals(9, encoder.reset().addLong(1_000_000).length());
    assertEquals(11, encoder.reset().addLong(Long.MAX_VALUE).length());
  }

  @Test
  void whatHasNoPlaceInTheOrderIsRefusedAndLeavesNothingBehind() {
    encoder.addLong(1);
    byte[] before = encoder.toByteArray();
    assertThrows(IllegalArgumentException.class, () -> encoder.addDouble(Double.NaN));
    for (String bad : new String[] {"\ud800", "a\udc00b", "\ud800a", "\udc00\ud800"}) {
      assertThrows(IllegalArgumentException.class, () -> encoder.addString(bad));
    }
    assertArrayEquals(before, encoder.toByteArray());
  }

  @Test
  void aNumberIsReadAsALongOnlyWhenItIsOne() {
    for (double value : new double[] {0.5, 0x1p63, -0x1.0000000000001p63, 1e300, 1.0 / 0.0}) {
      decoder.reset(encoder.reset().addDouble(value).toSlice());
      assertFalse(decoder.isLong());
      assertThrows(ArithmeticException.class, decoder::readLong);
      assertEquals(value, decoder.readDouble());
      assertFalse(decoder.hasNext());
    }
  }

  @Test
  void arbitraryBytesDecodeOrAreRefusedAsNoKey() {
    RandomGenerator random = seeded();
    byte[] tags = {0x10, 0x20, 0x21, 0x30, 0x40, 0x50, (byte) 0xCF, (byte) 0xBF, (byte) 0xAF};
    for (int round = 0; round < ROUNDS; round++) {
      byte[] key = new byte[random.nextInt(14)];
      random.nextBytes(key);
      if (key.length > 0 && random.nextBoolean()) {
        key[0] = tags[random.nextInt(tags.length)];
      }
      decoder.reset(key, 0, key.length);
      try {
        while (decoder.hasNext()) {
          read(decoder);
        }
      } catch (IllegalArgumentException refused) {
        assertTrue(refused.getMessage().startsWith("not an encoded key"), refused.getMessage());
      }
    }
  }

  private static RandomGenerator seeded() {
    return Seeds.random(Seeds.one(20260117));
  }

  private static long longValue(RandomGenerator random) {
    long edge = EDGE_LONGS[random.nextInt(EDGE_LONGS.length)];
    return switch (random.nextInt(3)) {
      case 0 -> edge + random.nextInt(5) - 2;
      case 1 -> random.nextLong() >> random.nextInt(64);
      default -> (1L << random.nextInt(64)) + random.nextInt(2049) - 1024;
    };
  }

  private static double doubleValue(RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> EDGE_DOUBLES[random.nextInt(EDGE_DOUBLES.length)];
      case 1 -> (double) longValue(random);
      case 2 -> random.nextGaussian() * 1e3;
      default -> {
        double any = Double.longBitsToDouble(random.nextLong());
        yield Double.isNaN(any) ? 0.25 : any;
      }
    };
  }

  private static @Nullable Object value(RandomGenerator random) {
    switch (random.nextInt(7)) {
      case 0:
        return random.nextInt(4) == 0 ? null : random.nextBoolean();
      case 1, 2:
        return longValue(random);
      case 3, 4:
        return doubleValue(random);
      case 5:
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
          text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
      default:
        byte[] bytes = new byte[random.nextInt(4)];
        for (int i = 0; i < bytes.length; i++) {
          bytes[i] = (byte) (random.nextInt(5) - 2);
        }
        return bytes;
    }
  }

  private byte[] encode(List<@Nullable Object> values, boolean[] descending) {
    encoder.reset();
    for (int i = 0; i < values.size(); i++) {
      if (descending[i]) {
        encoder.descending();
      }
      Object value = values.get(i);
      if (value == null) {
        encoder.addNull();
      } else if (value instanceof Boolean truth) {
        encoder.addBoolean(truth);
      } else if (value instanceof Long number) {
        encoder.addLong(number);
      } else if (value instanceof Double number) {
        encoder.addDouble(number);
      } else if (value instanceof String text) {
        encoder.addString(text);
      } else {
        encoder.addBytes((byte[]) value);
      }
    }
    return encoder.toByteArray();
  }

  private void requireDecodes(List<@Nullable Object> values, byte[] key, boolean[] descending) {
    KeyDecoder skipping = new KeyDecoder().reset(key, 0, key.length);
    decoder.reset(key, 0, key.length);
    for (int i = 0; i < values.size(); i++) {
      assertEquals(descending[i], decoder.isDescending());
      Object value = values.get(i);
      KeyType type = decoder.type();
      Object decoded = read(decoder);
      assertEquals(0, compare(value, decoded), () -> value + " decoded as " + decoded);
      if (value instanceof Double number) {
        assertEquals(KeyType.NUMBER, type);
        assertEquals(number + 0.0, decoded instanceof Long whole ? (double) whole : decoded);
      }
      skipping.skip();
      assertEquals(decoder.position(), skipping.position());
    }
    assertFalse(decoder.hasNext());
  }

  private static @Nullable Object read(KeyDecoder decoder) {
    return switch (decoder.type()) {
      case NULL -> {
        decoder.readNull();
        yield null;
      }
      case BOOLEAN -> decoder.readBoolean();
      case NUMBER -> decoder.isLong() ? (Object) decoder.readLong() : (Object) decoder.readDouble();
      case STRING -> decoder.readString();
      case BYTES -> decoder.readBytes().toByteArray();
    };
  }

  private static int compare(
      List<@Nullable Object> left, List<@Nullable Object> right, boolean[] descending) {
    for (int i = 0; i < left.size(); i++) {
      int order = compare(left.get(i), right.get(i));
      if (order != 0) {
        return descending[i] ? -order : order;
      }
    }
    return 0;
  }

  private static int compare(@Nullable Object left, @Nullable Object right) {
    int types = Integer.compare(rank(left), rank(right));
    if (types != 0 || left == null || right == null) {
      return types;
    }
    if (left instanceof Boolean truth) {
      return Boolean.compare(truth, (Boolean) right);
    }
    if (left instanceof String text) {
      return Integer.signum(
          Arrays.compare(text.codePoints().toArray(), ((String) right).codePoints().toArray()));
    }
    if (left instanceof byte[] bytes) {
      return Integer.signum(Arrays.compareUnsigned(bytes, (byte[]) right));
    }
    double leftDouble = ((Number) left).doubleValue();
    double rightDouble = ((Number) right).doubleValue();
    if (Double.isInfinite(leftDouble) || Double.isInfinite(rightDouble)) {
      return Double.compare(leftDouble, rightDouble);
    }
    return exact((Number) left).compareTo(exact((Number) right));
  }

  private static BigDecimal exact(Number number) {
    return number instanceof Long whole
        ? BigDecimal.valueOf(whole)
        : new BigDecimal(number.doubleValue());
  }

  private static int rank(@Nullable Object value) {
    if (value == null) {
      return 0;
    }
    if (value instanceof Boolean) {
      return 1;
    }
    if (value instanceof Number) {
      return 2;
    }
    return value instanceof String ? 3 : 4;
  }
}
