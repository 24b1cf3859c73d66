package dev.varve.dataset.kind;

import dev.varve.common.bytes.Bytes;

/** Checks UTF-8 strictly: no overlong form, no surrogate, nothing above U+10FFFF. No state. */
final class Utf8 {
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  private Utf8() {}

  /** Offset of the first byte that does not belong to valid text, or -1. */
  static int firstInvalid(byte[] bytes, int offset, int length) {
    int end = offset + length;
    int at = offset;
    while (at < end) {
      while (end - at >= Long.BYTES && (Bytes.getLong(bytes, at) & HIGH_BITS) == 0) {
        at += Long.BYTES;
      }
      if (at == end) {
        break;
      }
      int size = sizeAt(bytes, at, end);
      if (size == 0) {
        return at;
      }
      at += size;
    }
    return -1;
  }

  /** Bytes of the character at a position, 0 when there is no valid one. */
  private static int sizeAt(byte[] bytes, int at, int end) {
    int lead = bytes[at] & 0xFF;
    if (lead < 0x80) {
      return 1;
    }
    if (lead < 0xC2 || lead > 0xF4) {
      return 0;
    }
    int size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (end - at < size) {
      return 0;
    }
    int second = bytes[at + 1] & 0xFF;
    int least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    int most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (second < least || second > most) {
      return 0;
    }
    for (int i = 2; i < size; i++) {
      if ((bytes[at + i] & 0xC0) != 0x80) {
        return 0;
      }
    }
    return size;
  }
}
