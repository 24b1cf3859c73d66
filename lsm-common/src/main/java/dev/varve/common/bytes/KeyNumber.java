package dev.varve.common.bytes;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Which decimal number a key stands for. A key holds every whole number of 64 bits and every
 * double. A double from 2^53 to 2^63 in size stands for itself, any other for the shortest decimal
 * that is rounded to it, and for the one nearest to it among several: what JSON writers print. So
 * each key stands for one decimal, and keys order as these do; a decimal that no key stands for is
 * one that would be taken for another. Thread-safe: no state.
 *
 * <p>Implementation note. Decimals of up to 15 digits are rounded to different doubles wherever
 * those are normal, so each is the shortest one of its double. No shortest one has more than 17
 * digits. Only what lies between is computed with.
 */
public final class KeyNumber {
  private static final int SURE_DIGITS = 15;
  private static final int MOST_DIGITS = 17;

  private KeyNumber() {}

  /**
   * Whether a double stands for the decimal number that a text writes.
   *
   * @param nearest what the number is rounded to
   * @param text a number as JSON writes it, at {@code offset} for {@code length} characters
   */
  public static boolean standsFor(double nearest, char[] text, int offset, int length) {
    int digits = significantDigits(text, offset, length);
    if (digits == 0) {
      return true;
    }
    if (nearest == 0 || Double.isInfinite(nearest)) {
      return false;
    }
    if (!KeyLayout.hasRemainder(nearest)) {
      if (digits > MOST_DIGITS) {
        return false;
      }
      if (digits <= SURE_DIGITS && Math.abs(nearest) >= Double.MIN_NORMAL) {
        return true;
      }
    }
    return standsFor(nearest, new BigDecimal(text, offset, length));
  }

  /** Whether a double, which a decimal number is rounded to, stands for it. */
  static boolean standsFor(double nearest, BigDecimal number) {
    if (number.signum() == 0) {
      return true;
    }
    if (nearest == 0 || Double.isInfinite(nearest)) {
      return false;
    }
    BigDecimal exact = new BigDecimal(nearest);
    if (KeyLayout.hasRemainder(nearest)) {
      return exact.compareTo(number) == 0;
    }
    int digits = number.stripTrailingZeros().precision();
    return digits <= MOST_DIGITS
        && isClosest(number, nearest, digits)
        && (digits == 1 || !isNamed(nearest, digits - 1));
  }

  /** Digits from the first one to the last one that is not zero. */
  private static int significantDigits(char[] text, int offset, int length) {
    int digits = 0;
    int significant = 0;
    for (int i = offset; i < offset + length; i++) {
      char c = text[i];
      if (c == 'e' || c == 'E') {
        break;
      }
      if (c >= '0' && c <= '9' && (c != '0' || digits > 0)) {
        digits++;
        if (c != '0') {
          significant = digits;
        }
      }
    }
    return significant;
  }

  /** Whether a decimal of so many digits is rounded to a double, and nearest to it of those. */
  private static boolean isClosest(BigDecimal number, double nearest, int digits) {
    BigDecimal below = rounded(nearest, digits, RoundingMode.FLOOR);
    BigDecimal above = rounded(nearest, digits, RoundingMode.CEILING);
    if (below.doubleValue() == nearest && above.doubleValue() == nearest) {
      return number.compareTo(rounded(nearest, digits, RoundingMode.HALF_EVEN)) == 0;
    }
    return number.doubleValue() == nearest
        && (number.compareTo(below) == 0 || number.compareTo(above) == 0);
  }

  /** Whether a decimal of so many digits is rounded to a double. */
  private static boolean isNamed(double nearest, int digits) {
    return rounded(nearest, digits, RoundingMode.FLOOR).doubleValue() == nearest
        || rounded(nearest, digits, RoundingMode.CEILING).doubleValue() == nearest;
  }

  private static BigDecimal rounded(double nearest, int digits, RoundingMode mode) {
    return new BigDecimal(nearest, new MathContext(digits, mode));
  }
}
