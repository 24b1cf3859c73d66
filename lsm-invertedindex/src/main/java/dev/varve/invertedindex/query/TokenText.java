package dev.varve.invertedindex.query;

import dev.varve.common.bytes.Slice;
import dev.varve.invertedindex.token.Tokenizer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/** The tokens of a text one after the other, each behind its length. Immutable. */
final class TokenText {
  private byte[] bytes = new byte[128];
  private int length;

  private TokenText() {}

  static TokenText of(Tokenizer tokenizer, Slice text) {
    TokenText tokens = new TokenText();
    tokenizer.tokenize(text, tokens::add);
    return tokens;
  }

  static Slice utf8(String text) {
    return new Slice(text.getBytes(StandardCharsets.UTF_8));
  }

  private void add(byte[] token, int offset, int tokenBytes) {
    if (length + 1 + tokenBytes > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length + tokenBytes);
    }
    bytes[length] = (byte) tokenBytes;
    System.arraycopy(token, offset, bytes, length + 1, tokenBytes);
    length += 1 + tokenBytes;
  }

  private int behind(int token) {
    return token + 1 + (bytes[token] & 0xFF);
  }

  /** Each token once, in the order of keys, its length in front. */
  Set<byte[]> distinct() {
    Set<byte[]> distinct = new TreeSet<>(Arrays::compareUnsigned);
    for (int at = 0; at < length; at = behind(at)) {
      distinct.add(Arrays.copyOfRange(bytes, at, behind(at)));
    }
    return distinct;
  }

  /** Whether the tokens of another text stand here one after the other. */
  boolean contains(TokenText other) {
    for (int at = 0; at + other.length <= length; at = behind(at)) {
      if (Arrays.equals(bytes, at, at + other.length, other.bytes, 0, other.length)) {
        return true;
      }
    }
    return false;
  }
}
