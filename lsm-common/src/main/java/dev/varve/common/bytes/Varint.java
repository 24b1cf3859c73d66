package dev.varve.common.bytes;

/**
 * Unsigned integers of variable length: seven bits a byte, least significant first, the top bit set
 * on every byte but the last (LEB128). An integer has one encoding, the shortest, so a reader that
 * knows the value knows its length: {@code offset += Varint.sizeOf(value)}. Thread-safe: no state.
 */
public final class Varint {
  /** Most bytes that an encoded {@code int} takes. */
  public static final int MAX_INT_BYTES = 5;

  /** Most bytes that an encoded {@code long} takes. */
  public static final int MAX_LONG_BYTES = 10;

  /** What {@link #get} returns where no well-formed integer stands. */
  public static final long MALFORMED = -1;

  private Varint() {}

  /** Number of bytes that a value takes; negative values count as large ones. */
  public static int sizeOf(int value) {
    // 0 takes one byte; every started group of seven significant bits takes one.
    return (38 - Integer.numberOfLeadingZeros(value | 1)) / 7;
  }

  /** Number of bytes that a value takes; negative values count as large ones. */
  public static int sizeOf(long value) {
    return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
  }

  /** Writes a value and returns the offset behind it. */
  public static int putInt(byte[] bytes, int offset, int value) {
    int at = offset;
    int rest = value;
    while ((rest & ~0x7F) != 0) {
      bytes[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[at++] = (byte) rest;
    return at;
  }

  /** Writes a value and returns the offset behind it. */
  public static int putLong(byte[] bytes, int offset, long value) {
    int at = offset;
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[at++] = (byte) rest;
    return at;
  }

  /** Reads what {@link #putInt} wrote into bytes that a checksum has vouched for. */
  public static int getInt(byte[] bytes, int offset) {
    int b = bytes[offset];
    int value = b & 0x7F;
    for (int at = offset + 1, shift = 7; b < 0; at++, shift += 7) {
      b = bytes[at];
      value |= (b & 0x7F) << shift;
    }
    return value;
  }

  /** Reads what {@link #putLong} wrote into bytes that a checksum has vouched for. */
  public static long getLong(byte[] bytes, int offset) {
    int b = bytes[offset];
    long value = b & 0x7F;
    for (int at = offset + 1, shift = 7; b < 0; at++, shift += 7) {
      b = bytes[at];
      value |= (b & 0x7FL) << shift;
    }
    return value;
  }

  /**
   * Reads an integer from bytes that nobody has vouched for.
   *
   * @param limit offset behind the last byte that may be read
   * @return the value, or {@link #MALFORMED} when it does not end before the limit, is above {@link
   *     Long#MAX_VALUE}, or is longer than it need be
   */
  public static long get(byte[] bytes, int offset, int limit) {
    long value = 0;
    // Nine bytes hold the 63 bits of every non-negative long.
    int end = (int) Math.min(limit, offset + 9L);
    for (int at = offset, shift = 0; at < end; at++, shift += 7) {
      int b = bytes[at];
      value |= (b & 0x7FL) << shift;
      if (b >= 0) {
        return b == 0 && at > offset ? MALFORMED : value;
      }
    }
    return MALFORMED;
  }
}
