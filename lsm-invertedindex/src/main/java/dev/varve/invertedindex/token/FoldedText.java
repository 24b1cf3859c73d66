package dev.varve.invertedindex.token;

import dev.varve.common.bytes.Slice;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A text with its case folded, as code points in UTF-8: every character of the text has one here,
 * and what is malformed is U+FFFD, byte by byte. Immutable, thread-safe.
 */
public final class FoldedText {
  private static final CharacterTable TABLE = CharacterTable.INSTANCE;
  private static final int REPLACEMENT = 0xFFFD;
  private static final int ASCII = 0x80;

  /** Most bytes that a byte of text becomes: a malformed one is replaced by three. */
  private static final int MAX_GROWTH = 3;

  private static final byte[] FOLDED_ASCII = new byte[ASCII];

  static {
    for (int c = 0; c < ASCII; c++) {
      FOLDED_ASCII[c] = (byte) TABLE.fold(c);
    }
  }

  private final byte[] bytes;
  private final int length;

  /** Where each code point begins, and behind the last one the end; null when all have one byte. */
  private final int @Nullable [] starts;

  private final int count;

  private FoldedText(byte[] bytes, int length, int count, int @Nullable [] starts) {
    this.bytes = bytes;
    this.length = length;
    this.count = count;
    this.starts = starts;
  }

  /** Folds a text in UTF-8. */
  public static FoldedText of(Slice text) {
    int length = text.length();
    byte[] source = text.bytes();
    byte[] folded = new byte[length];
    for (int i = 0; i < length; i++) {
      int c = source[text.offset() + i];
      if (c < 0) {
        return ofCharacters(text);
      }
      folded[i] = FOLDED_ASCII[c];
    }
    return new FoldedText(folded, length, length, null);
  }

  private static FoldedText ofCharacters(Slice text) {
    byte[] source = text.bytes();
    int end = text.offset() + text.length();
    byte[] folded = new byte[Math.multiplyExact(MAX_GROWTH, text.length())];
    int[] starts = new int[text.length() + 1];
    int length = 0;
    int count = 0;
    int at = text.offset();
    while (at < end) {
      int codePoint = Utf8.decode(source, at, end);
      at += codePoint == Utf8.MALFORMED ? 1 : Utf8.sizeOf(codePoint);
      starts[count++] = length;
      int kept = codePoint == Utf8.MALFORMED ? REPLACEMENT : TABLE.fold(codePoint);
      length = Utf8.encode(kept, folded, length);
    }
    starts[count] = length;
    return new FoldedText(folded, length, count, starts);
  }

  /** Number of code points. */
  public int count() {
    return count;
  }

  /** The code points. */
  public int[] codePoints() {
    int[] codePoints = new int[count];
    for (int i = 0; i < count; i++) {
      codePoints[i] = Utf8.decode(bytes, start(i), length);
    }
    return codePoints;
  }

  /** Whether another text stands somewhere in this one. */
  public boolean contains(FoldedText needle) {
    if (needle.length == 0) {
      return true;
    }
    // No code point's UTF-8 begins inside that of another, so bytes will do.
    byte first = needle.bytes[0];
    int last = length - needle.length;
    for (int from = 0; from <= last; from++) {
      if (bytes[from] == first
          && Arrays.equals(bytes, from, from + needle.length, needle.bytes, 0, needle.length)) {
        return true;
      }
    }
    return false;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Where a code point begins; for the number of code points, the end. */
  int start(int index) {
    return starts == null ? index : starts[index];
  }
}
