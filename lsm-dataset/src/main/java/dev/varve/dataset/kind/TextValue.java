package dev.varve.dataset.kind;

import dev.varve.common.bytes.Slice;
import java.util.Arrays;

/** A text of a record in UTF-8. Confined to a reader, and reused. */
final class TextValue {
  private static final int MOST_BYTES_A_CHARACTER = 3;

  private final Slice view = new Slice();
  private byte[] buffer = new byte[256];
  private int length;
  private boolean present;

  /** Nothing was found yet. */
  void reset() {
    present = false;
  }

  /** Whether there is a text. */
  boolean present() {
    return present;
  }

  /** The bytes; a view that holds until the next change. */
  Slice bytes() {
    return view.set(buffer, 0, length);
  }

  /** Takes a text; false when it holds half of a surrogate pair. */
  boolean set(String text) {
    present = true;
    length = 0;
    if (buffer.length < MOST_BYTES_A_CHARACTER * text.length()) {
      buffer = Arrays.copyOf(buffer, MOST_BYTES_A_CHARACTER * text.length());
    }
    int at = 0;
    while (at < text.length()) {
      int code = text.codePointAt(at);
      at += Character.charCount(code);
      if (code < 0x80) {
        buffer[length++] = (byte) code;
      } else if (code < 0x800) {
        buffer[length++] = (byte) (0xC0 | code >> 6);
        buffer[length++] = continuation(code);
      } else if (code < 0x10000) {
        if (code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE) {
          present = false;
          return false;
        }
        buffer[length++] = (byte) (0xE0 | code >> 12);
        buffer[length++] = continuation(code >> 6);
        buffer[length++] = continuation(code);
      } else {
        buffer[length++] = (byte) (0xF0 | code >> 18);
        buffer[length++] = continuation(code >> 12);
        buffer[length++] = continuation(code >> 6);
        buffer[length++] = continuation(code);
      }
    }
    return true;
  }

  private static byte continuation(int bits) {
    return (byte) (0x80 | (bits & 0x3F));
  }
}
