package dev.varve.invertedindex.token;

/** Code points in UTF-8. Thread-safe: no state. */
final class Utf8 {
  /** What {@link #decode} returns where no well-formed code point stands. */
  static final int MALFORMED = -1;

  /** Most bytes of a code point. */
  static final int MAX_BYTES = 4;

  private Utf8() {}

  /** Reads the code point that begins at an offset, which must end before the limit. */
  static int decode(byte[] bytes, int offset, int limit) {
    int lead = bytes[offset] & 0xFF;
    if (lead < 0x80) {
      return lead;
    }
    int size = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (size == 0 || offset + size > limit) {
      return MALFORMED;
    }
    int codePoint = lead & (0x7F >> size);
    for (int i = 1; i < size; i++) {
      int b = bytes[offset + i];
      if ((b & 0xC0) != 0x80) {
        return MALFORMED;
      }
      codePoint = (codePoint << 6) | (b & 0x3F);
    }
    boolean valid =
        sizeOf(codePoint) == size
            && codePoint <= Character.MAX_CODE_POINT
            && (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE);
    return valid ? codePoint : MALFORMED;
  }

  /** Number of bytes of a code point. */
  static int sizeOf(int codePoint) {
    return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }

  /** Writes a code point and returns the offset behind it. */
  static int encode(int codePoint, byte[] bytes, int offset) {
    int at = offset;
    if (codePoint < 0x80) {
      bytes[at++] = (byte) codePoint;
      return at;
    }
    int size = sizeOf(codePoint);
    int shift = 6 * (size - 1);
    bytes[at++] = (byte) ((0xF00 >> size) | (codePoint >> shift));
    while (shift > 0) {
      shift -= 6;
      bytes[at++] = (byte) (0x80 | ((codePoint >> shift) & 0x3F));
    }
    return at;
  }
}
