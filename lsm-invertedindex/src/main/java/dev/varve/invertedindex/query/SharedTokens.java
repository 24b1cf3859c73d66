package dev.varve.invertedindex.query;

import dev.varve.common.bytes.Slice;
import dev.varve.invertedindex.token.Tokenizer;
import java.util.Set;

/** Counts the distinct tokens that texts share with one text. Immutable and thread-safe. */
final class SharedTokens {
  private final Tokenizer tokenizer;
  private final Set<byte[]> tokens;

  SharedTokens(Tokenizer tokenizer, String text) {
    this.tokenizer = tokenizer;
    this.tokens = TokenText.of(tokenizer, TokenText.utf8(text)).distinct();
  }

  /** Number of distinct tokens of the text. */
  int count() {
    return tokens.size();
  }

  /** Whether another text has at least so many of the tokens. */
  boolean atLeast(int wanted, Slice text) {
    return sharedWith(distinctOf(text)) >= wanted;
  }

  /** Whether the Jaccard similarity of both texts' sets of tokens is at least this. */
  boolean similar(double similarity, Slice text) {
    Set<byte[]> others = distinctOf(text);
    int shared = sharedWith(others);
    int united = tokens.size() + others.size() - shared;
    return united > 0 && shared >= similarity * united - TextQuery.ROUNDING;
  }

  private Set<byte[]> distinctOf(Slice text) {
    return TokenText.of(tokenizer, text).distinct();
  }

  private int sharedWith(Set<byte[]> others) {
    int shared = 0;
    for (byte[] token : tokens) {
      shared += others.contains(token) ? 1 : 0;
    }
    return shared;
  }
}
