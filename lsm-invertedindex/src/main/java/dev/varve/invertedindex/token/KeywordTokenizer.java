package dev.varve.invertedindex.token;

import dev.varve.common.bytes.Slice;

/**
 * Words: the longest runs of letters, digits and marks that begin with a letter or digit, case
 * folded, as {@link CharacterTable} has them. Everything else separates. So {@code don't} is two
 * words, and a run of ideographs is one; for such languages n-grams serve better. Of a word whose
 * UTF-8 is longer than {@link TokenKey#MAX_TOKEN_BYTES}, the characters that fit into so many bytes
 * count. Immutable and thread-safe.
 */
public final class KeywordTokenizer implements Tokenizer {
  private static final CharacterTable TABLE = CharacterTable.INSTANCE;

  /** For each ASCII character what it folds to, or zero when it separates. */
  private static final byte[] ASCII = new byte[0x80];

  static {
    for (int c = 0; c < ASCII.length; c++) {
      ASCII[c] = (byte) (TABLE.isWord(c) ? TABLE.fold(c) : 0);
    }
  }

  /** The tokenizer. */
  public KeywordTokenizer() {}

  @Override
  public String name() {
    return "keyword";
  }

  @Override
  public void tokenize(Slice text, TokenSink sink) {
    byte[] bytes = text.bytes();
    int end = text.offset() + text.length();
    byte[] word = new byte[TokenKey.MAX_TOKEN_BYTES + Utf8.MAX_BYTES];
    int length = 0;
    boolean cut = false;
    int at = text.offset();
    while (at < end) {
      int codePoint = bytes[at];
      int newLength = length;
      if (codePoint >= 0) {
        at++;
        byte folded = ASCII[codePoint];
        if (folded != 0) {
          word[newLength++] = folded;
        }
      } else {
        codePoint = Utf8.decode(bytes, at, end);
        at += codePoint == Utf8.MALFORMED ? 1 : Utf8.sizeOf(codePoint);
        if (goesOn(codePoint, length)) {
          newLength = Utf8.encode(TABLE.fold(codePoint), word, length);
        }
      }
      if (newLength == length) {
        if (length > 0) {
          sink.accept(word, 0, length);
        }
        length = 0;
        cut = false;
      } else if (!cut && newLength <= TokenKey.MAX_TOKEN_BYTES) {
        length = newLength;
      } else {
        cut = true;
      }
    }
    if (length > 0) {
      sink.accept(word, 0, length);
    }
  }

  private static boolean goesOn(int codePoint, int length) {
    return codePoint >= 0 && (TABLE.isWord(codePoint) || (length > 0 && TABLE.isMark(codePoint)));
  }
}
