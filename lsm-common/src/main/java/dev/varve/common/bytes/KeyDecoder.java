package dev.varve.common.bytes;

import java.nio.charset.StandardCharsets;

/**
 * Reads the typed values of a key that {@link KeyEncoder} made, one after the other. Whether a
 * value orders descending is seen from its bytes. A number is a number: the key does not say
 * whether it came from a long or a double, the reader asks for the one it wants. Bytes that no
 * encoder wrote are refused with {@link IllegalArgumentException}. Confined to its owner.
 *
 * <p>Format: docs/format/keys.md.
 */
public final class KeyDecoder {
  private final Slice unescaped = new Slice();
  private byte[] bytes = Bytes.EMPTY;
  private byte[] scratch = Bytes.EMPTY;
  private int start;
  private int at;
  private int limit;

  // The number read last: the double at or below it, and its distance from that.
  private double floor;
  private int remainder;

  /** A decoder at the end of an empty key. */
  public KeyDecoder() {}

  /** Goes to the first value of a key; the key's bytes must stay while they are read. */
  public KeyDecoder reset(Slice key) {
    return reset(key.bytes(), key.offset(), key.length());
  }

  /** Goes to the first value of a key; the key's bytes must stay while they are read. */
  public KeyDecoder reset(byte[] key, int offset, int length) {
    bytes = key;
    start = offset;
    at = offset;
    limit = offset + length;
    return this;
  }

  /** Whether there is another value. */
  public boolean hasNext() {
    return at < limit;
  }

  /** Where the next value starts, counted from the start of the key. */
  public int position() {
    return at - start;
  }

  /** Type of the next value. */
  public KeyType type() {
    return switch (tag()) {
      case KeyLayout.NULL -> KeyType.NULL;
      case KeyLayout.FALSE, KeyLayout.TRUE -> KeyType.BOOLEAN;
      case KeyLayout.NUMBER -> KeyType.NUMBER;
      case KeyLayout.STRING -> KeyType.STRING;
      case KeyLayout.BYTES -> KeyType.BYTES;
      default -> throw malformed("unknown tag");
    };
  }

  /** Whether the next value orders descending. */
  public boolean isDescending() {
    return mask() != 0;
  }

  /** Whether the next value is a number that a {@code long} holds exactly. */
  public boolean isLong() {
    if (type() != KeyType.NUMBER) {
      return false;
    }
    int before = at;
    readNumber();
    at = before;
    return wholeLong();
  }

  /** Goes past the next value. */
  public void skip() {
    switch (type()) {
      case NULL, BOOLEAN -> at++;
      case NUMBER -> readNumber();
      case STRING, BYTES -> at = end() + 2;
    }
  }

  /** Reads the absence of a value. */
  public void readNull() {
    expect(KeyType.NULL);
    at++;
  }

  /** Reads a truth value. */
  public boolean readBoolean() {
    expect(KeyType.BOOLEAN);
    boolean value = tag() == KeyLayout.TRUE;
    at++;
    return value;
  }

  /**
   * Reads a whole number.
   *
   * @throws ArithmeticException when the number is not one that a {@code long} holds exactly
   */
  public long readLong() {
    expect(KeyType.NUMBER);
    int before = at;
    readNumber();
    if (!wholeLong()) {
      at = before;
      throw new ArithmeticException("not a whole number of 64 bits: " + floor);
    }
    return (long) floor + remainder;
  }

  /** Reads a number as the nearest double. */
  public double readDouble() {
    expect(KeyType.NUMBER);
    readNumber();
    return remainder == 0 ? floor : (double) ((long) floor + remainder);
  }

  /** Reads text; what is not UTF-8, which no encoder writes, becomes replacement characters. */
  public String readString() {
    expect(KeyType.STRING);
    Slice utf8 = readEscaped();
    return new String(utf8.bytes(), utf8.offset(), utf8.length(), StandardCharsets.UTF_8);
  }

  /** Reads a byte string into a slice that holds until this decoder is used again. */
  public Slice readBytes() {
    expect(KeyType.BYTES);
    return readEscaped();
  }

  private int mask() {
    if (at >= limit) {
      throw malformed("the key ends before its value");
    }
    return (bytes[at] & 0xFF) >= KeyLayout.DESCENDING_TAG ? 0xFF : 0;
  }

  private int tag() {
    int mask = mask();
    return (bytes[at] & 0xFF) ^ mask;
  }

  private void expect(KeyType expected) {
    KeyType found = type();
    if (found != expected) {
      throw malformed(expected + " expected, " + found + " found");
    }
  }

  private void readNumber() {
    long inversion = mask() == 0 ? 0 : -1;
    int from = at + 1;
    if (limit - from < KeyLayout.DOUBLE_BYTES) {
      throw malformed("the key ends within a number");
    }
    long ordered = Bytes.getLongBigEndian(bytes, from) ^ inversion;
    double value = Double.longBitsToDouble(ordered ^ ((~ordered >> 63) | Long.MIN_VALUE));
    if (Double.isNaN(value)) {
      throw malformed("NaN");
    }
    from += KeyLayout.DOUBLE_BYTES;
    int distance = 0;
    if (KeyLayout.hasRemainder(value)) {
      if (limit - from < KeyLayout.REMAINDER_BYTES) {
        throw malformed("the key ends within a number");
      }
      distance =
          (((bytes[from] & 0xFF) << Byte.SIZE | (bytes[from + 1] & 0xFF)) ^ (int) inversion)
              & 0xFFFF;
      if (distance != 0
          && (value >= KeyLayout.SPARSE_TO || distance >= Math.nextUp(value) - value)) {
        throw malformed("a number that reaches past the next double");
      }
      from += KeyLayout.REMAINDER_BYTES;
    }
    floor = value;
    remainder = distance;
    at = from;
  }

  private boolean wholeLong() {
    return floor >= -0x1p63 && floor < 0x1p63 && Math.rint(floor) == floor;
  }

  /** Offset of the terminator of the next value. */
  private int end() {
    byte inversion = (byte) mask();
    for (int i = at + 1; i + 1 < limit; i++) {
      if ((bytes[i] ^ inversion) == KeyLayout.ZERO) {
        int next = (bytes[i + 1] ^ inversion) & 0xFF;
        if (next == KeyLayout.END) {
          return i;
        }
        if (next != KeyLayout.ESCAPED_ZERO) {
          throw malformed("a zero byte that is not escaped");
        }
        i++;
      }
    }
    throw malformed("a value without an end");
  }

  private Slice readEscaped() {
    byte inversion = (byte) mask();
    int end = end();
    if (scratch.length < end - at) {
      scratch = new byte[end - at];
    }
    int length = 0;
    for (int i = at + 1; i < end; i++) {
      byte b = (byte) (bytes[i] ^ inversion);
      scratch[length++] = b;
      if (b == KeyLayout.ZERO) {
        i++;
      }
    }
    at = end + 2;
    return unescaped.set(scratch, 0, length);
  }

  private IllegalArgumentException malformed(String problem) {
    return new IllegalArgumentException(
        "not an encoded key: " + problem + " at byte " + position());
  }
}
