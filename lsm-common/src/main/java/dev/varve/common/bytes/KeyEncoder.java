package dev.varve.common.bytes;

import java.math.BigDecimal;
import java.util.Arrays;

/**
 * Encodes typed values into key bytes whose unsigned lexicographic order is the order of the
 * values: null, then booleans, then numbers (longs and doubles together, without loss: 1 and 1.0
 * are the same key, 2^53 + 1 is not 2^53), then text by code points, then byte strings. Each value
 * delimits itself, so a composite key orders by its first value, then by its second, and so on. The
 * buffer is reused after {@link #reset}. Confined to its owner.
 *
 * <p>Format: docs/format/keys.md.
 */
public final class KeyEncoder {
  private static final int INITIAL_BYTES = 64;

  private final Slice view = new Slice();
  private byte[] buffer = new byte[INITIAL_BYTES];
  private int length;
  private int start;
  private boolean descending;

  /** An encoder that holds no values yet. */
  public KeyEncoder() {}

  /** Forgets all values. */
  public KeyEncoder reset() {
    length = 0;
    descending = false;
    return this;
  }

  /** Makes the next value, and only that one, order descending. */
  public KeyEncoder descending() {
    descending = true;
    return this;
  }

  /** Adds the absence of a value. */
  public KeyEncoder addNull() {
    begin(1, KeyLayout.NULL);
    return end();
  }

  /** Adds a truth value. */
  public KeyEncoder addBoolean(boolean value) {
    begin(1, value ? KeyLayout.TRUE : KeyLayout.FALSE);
    return end();
  }

  /** Adds a whole number. */
  public KeyEncoder addLong(long value) {
    if (value >= -(1L << 53) && value < 1L << 53) {
      return addNumber((double) value, 0);
    }
    // Round down to a multiple of the distance between doubles of this size.
    long magnitude = value < 0 ? -value : value;
    int spareBits = Long.SIZE - Long.numberOfLeadingZeros(magnitude) - 53;
    long floor = value & (-1L << spareBits);
    assert (long) (double) floor == floor;
    return addNumber((double) floor, (int) (value - floor));
  }

  /**
   * Adds a number; -0.0 is 0.0, infinities are the ends of the numbers. It stands for the shortest
   * decimal that is rounded to it; see {@link KeyNumber}.
   *
   * @throws IllegalArgumentException for a NaN, which has no place in the order
   */
  public KeyEncoder addDouble(double value) {
    if (Double.isNaN(value)) {
      throw new IllegalArgumentException("a key value is NaN");
    }
    return addNumber(value + 0.0, 0);
  }

  /**
   * Adds a decimal number: 1, 1.0 and 1e0 are the same key.
   *
   * @throws IllegalArgumentException when no key {@linkplain KeyNumber stands for} this number
   */
  public KeyEncoder addDecimal(BigDecimal value) {
    double nearest = value.doubleValue();
    if (Math.abs(nearest) <= KeyLayout.SPARSE_TO) {
      BigDecimal plain = value.stripTrailingZeros();
      if (plain.scale() <= 0 && plain.toBigInteger().bitLength() < Long.SIZE) {
        return addLong(plain.longValue());
      }
    }
    if (!KeyNumber.standsFor(nearest, value)) {
      throw new IllegalArgumentException("no key holds the number " + value + " exactly");
    }
    return addDouble(nearest);
  }

  /**
   * Adds text.
   *
   * @throws IllegalArgumentException when a surrogate stands alone, so that the text is not valid
   */
  public KeyEncoder addString(String value) {
    begin(bound(value.length(), 3), KeyLayout.STRING);
    try {
      addUtf8(value);
    } catch (IllegalArgumentException e) {
      length = start;
      throw e;
    }
    return terminate();
  }

  /** Adds a byte string. */
  public KeyEncoder addBytes(byte[] value) {
    return addBytes(value, 0, value.length);
  }

  /** Adds a byte string. */
  public KeyEncoder addBytes(byte[] value, int offset, int count) {
    begin(bound(count, 2), KeyLayout.BYTES);
    for (int i = offset; i < offset + count; i++) {
      byte b = value[i];
      buffer[length++] = b;
      if (b == KeyLayout.ZERO) {
        buffer[length++] = (byte) KeyLayout.ESCAPED_ZERO;
      }
    }
    return terminate();
  }

  /** Adds values that were encoded before, as they are: a secondary entry ends with its primary. */
  public KeyEncoder addEncoded(Slice encoded) {
    assert !descending;
    reserve(encoded.length());
    System.arraycopy(encoded.bytes(), encoded.offset(), buffer, length, encoded.length());
    length += encoded.length();
    return this;
  }

  /** The key as a view that holds until this encoder is used again. */
  public Slice toSlice() {
    return view.set(buffer, 0, length);
  }

  /** The buffer; the key is its first {@link #length} bytes until this encoder is used again. */
  public byte[] bytes() {
    return buffer;
  }

  /** Number of bytes in the key so far. */
  public int length() {
    return length;
  }

  /** A copy of the key. */
  public byte[] toByteArray() {
    return Arrays.copyOf(buffer, length);
  }

  private KeyEncoder addNumber(double floor, int remainder) {
    assert remainder >= 0 && remainder <= 0x3FF;
    assert remainder == 0 || KeyLayout.hasRemainder(floor);
    begin(1 + KeyLayout.DOUBLE_BYTES + KeyLayout.REMAINDER_BYTES, KeyLayout.NUMBER);
    long bits = Double.doubleToRawLongBits(floor);
    // Positive doubles order as their bits do; negative ones the other way round, and before them.
    Bytes.putLongBigEndian(buffer, length, bits ^ ((bits >> 63) | Long.MIN_VALUE));
    length += KeyLayout.DOUBLE_BYTES;
    if (KeyLayout.hasRemainder(floor)) {
      buffer[length++] = (byte) (remainder >>> Byte.SIZE);
      buffer[length++] = (byte) remainder;
    }
    return end();
  }

  private void addUtf8(String value) {
    int at = length;
    byte[] out = buffer;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < 0x80) {
        out[at++] = (byte) c;
        if (c == KeyLayout.ZERO) {
          out[at++] = (byte) KeyLayout.ESCAPED_ZERO;
        }
      } else if (c < 0x800) {
        out[at++] = (byte) (0xC0 | (c >> 6));
        out[at++] = (byte) (0x80 | (c & 0x3F));
      } else if (!Character.isSurrogate(c)) {
        out[at++] = (byte) (0xE0 | (c >> 12));
        out[at++] = (byte) (0x80 | ((c >> 6) & 0x3F));
        out[at++] = (byte) (0x80 | (c & 0x3F));
      } else {
        if (Character.isLowSurrogate(c)
            || i + 1 == value.length()
            || !Character.isLowSurrogate(value.charAt(i + 1))) {
          throw new IllegalArgumentException("a surrogate stands alone at character " + i);
        }
        int point = Character.toCodePoint(c, value.charAt(++i));
        out[at++] = (byte) (0xF0 | (point >> 18));
        out[at++] = (byte) (0x80 | ((point >> 12) & 0x3F));
        out[at++] = (byte) (0x80 | ((point >> 6) & 0x3F));
        out[at++] = (byte) (0x80 | (point & 0x3F));
      }
    }
    length = at;
  }

  private void begin(int atMost, int tag) {
    reserve(atMost);
    start = length;
    buffer[length++] = (byte) tag;
  }

  private KeyEncoder terminate() {
    buffer[length++] = KeyLayout.ZERO;
    buffer[length++] = KeyLayout.END;
    return end();
  }

  private KeyEncoder end() {
    if (descending) {
      for (int i = start; i < length; i++) {
        buffer[i] = (byte) ~buffer[i];
      }
      descending = false;
    }
    return this;
  }

  private static int bound(int units, int bytesPerUnit) {
    return Math.addExact(Math.multiplyExact(units, bytesPerUnit), 3);
  }

  private void reserve(int more) {
    if (buffer.length - length < more) {
      buffer = Arrays.copyOf(buffer, Math.max(Math.addExact(length, more), 2 * buffer.length));
    }
  }
}
