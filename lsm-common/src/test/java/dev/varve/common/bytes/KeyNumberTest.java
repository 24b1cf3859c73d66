package dev.varve.common.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.testkit.Seeds;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A key stands for one decimal. Method: decimals of every size, most of them close to another one,
 * to a power of two or to where doubles end, are encoded or refused; the keys of those that are not
 * refused are as different as they are, and in their order.
 */
final class KeyNumberTest {
  private static final int ROUNDS = 12_000;

  @Test
  void decimalsThatDifferAreDifferentKeysInTheirOrderOrRefused() {
    RandomGenerator random = Seeds.random(Seeds.one(20261125));
    TreeMap<BigDecimal, byte[]> keys = new TreeMap<>();
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      BigDecimal number = decimal(random);
      byte[] key = key(number);
      if (key == null) {
        refused++;
      } else {
        byte[] same = keys.putIfAbsent(number, key);
        if (same != null) {
          assertArrayEquals(same, key, number::toString);
        }
      }
      assertEquals(key != null, isWritten(number), () -> number + " as a text");
    }
    assertTrue(refused > ROUNDS / 20 && keys.size() > ROUNDS / 4, refused + " " + keys.size());
    Map.Entry<BigDecimal, byte[]> before = null;
    for (Map.Entry<BigDecimal, byte[]> now : keys.entrySet()) {
      if (before != null) {
        String both = before.getKey() + " and " + now.getKey();
        assertTrue(Arrays.compareUnsigned(before.getValue(), now.getValue()) < 0, both);
      }
      before = now;
    }
  }

  @Test
  void everyLongAndEveryShortestDecimalOfADoubleIsAKey() {
    RandomGenerator random = Seeds.random(Seeds.one(20261125));
    for (int round = 0; round < ROUNDS / 3; round++) {
      long whole = random.nextLong() >> random.nextInt(64);
      assertArrayEquals(
          new KeyEncoder().addLong(whole).toByteArray(), key(new BigDecimal(whole).setScale(3)));
      double value = Double.longBitsToDouble(random.nextLong());
      long fraction = Double.doubleToLongBits(value) & (1L << 52) - 1;
      if (Double.isFinite(value) && fraction != 0 && !KeyLayout.hasRemainder(value)) {
        assertArrayEquals(
            new KeyEncoder().addDouble(value).toByteArray(), key(shortest(value)), value + "");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.1",
        "0.30000000000000004",
        "1e300",
        "1e-300",
        "1.7976931348623157e308",
        "5e-324",
        "2251799813685249.5",
        "9007199254740993",
        "-9007199254740993",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "10000000000000000000",
        "1e19"
      })
  void whatAKeyStandsForIsHeld(String number) {
    byte[] key = key(new BigDecimal(number));
    assertTrue(key != null, number);
    BigDecimal other = new BigDecimal(number).multiply(new BigDecimal("1.000")).setScale(400);
    assertArrayEquals(key, key(other), "spelt otherwise");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9007199254740992.5",
        "9007199254740993.5",
        "0.10000000000000001",
        "0.1000000000000000055511151231257827021181583404541015625",
        "123456789012345678901",
        "9223372036854775809",
        "-9223372036854775809",
        "4.9e-324",
        "1e-400",
        "1e400",
        "-1e999999999"
      })
  void whatWouldBeTakenForAnotherIsRefused(String number) {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> new KeyEncoder().addDecimal(new BigDecimal(number)));
    assertTrue(refused.getMessage().contains(new BigDecimal(number).toString()));
  }

  @Test
  void zeroIsOneKeyHoweverItIsWritten() {
    byte[] zero = new KeyEncoder().addLong(0).toByteArray();
    for (String text : new String[] {"0", "-0", "0.000", "0e999", "-0.0e-999"}) {
      assertArrayEquals(zero, key(new BigDecimal(text)), text);
      assertTrue(KeyNumber.standsFor(0.0, text.toCharArray(), 0, text.length()), text);
    }
  }

  /** The key of a number; null when it is refused. */
  private static byte[] key(BigDecimal number) {
    try {
      return new KeyEncoder().addDecimal(number).toByteArray();
    } catch (IllegalArgumentException refused) {
      return null;
    }
  }

  /**
   * Whether a record may write it: as a whole number of 64 bits it may, and else as a number that
   * is read as the nearest double.
   */
  private static boolean isWritten(BigDecimal number) {
    char[] text = ("[" + number + "]").toCharArray();
    return KeyNumber.standsFor(number.doubleValue(), text, 1, text.length - 2)
        || (number.stripTrailingZeros().scale() <= 0
            && Math.abs(number.doubleValue()) <= 0x1p63
            && number.toBigInteger().bitLength() < 64);
  }

  /** By trying, from one digit on; right for doubles whose neighbours are equally far. */
  private static BigDecimal shortest(double value) {
    for (int digits = 1; ; digits++) {
      BigDecimal rounded = new BigDecimal(value, new MathContext(digits, RoundingMode.HALF_EVEN));
      if (rounded.doubleValue() == value) {
        return rounded;
      }
    }
  }

  private static BigDecimal decimal(RandomGenerator random) {
    BigDecimal number =
        switch (random.nextInt(7)) {
          case 0 -> BigDecimal.valueOf(random.nextLong(), random.nextInt(40) - 10);
          case 1 -> BigDecimal.valueOf(random.nextInt(2000) - 1000, random.nextInt(4));
          case 2 -> new BigDecimal(Math.scalb(1.0, random.nextInt(70)));
          case 3 -> shortest(Double.longBitsToDouble(random.nextLong(0x7FE0_0000_0000_0000L) + 1));
          case 4 -> shortest(random.nextDouble());
          case 5 -> new BigDecimal(Math.scalb(1 + random.nextDouble(), 50 + random.nextInt(16)));
          default -> BigDecimal.valueOf(random.nextLong(), random.nextInt(700) - 350);
        };
    return switch (random.nextInt(4)) {
      case 0 -> number.add(BigDecimal.valueOf(random.nextInt(5) - 2));
      case 1 -> number.add(BigDecimal.valueOf(random.nextInt(5) - 2, 1));
      case 2 -> number.precision() > 30 ? number : number.add(number.ulp()).negate();
      default -> number;
    };
  }
}
