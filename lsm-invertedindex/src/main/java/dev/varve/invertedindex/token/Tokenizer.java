package dev.varve.invertedindex.token;

import dev.varve.common.bytes.Slice;

/**
 * Takes text apart into the tokens by which it is found. A tokenizer is a pure function: the tokens
 * of a text never change, because an index that is on disk was written with them. Thread-safe.
 */
public interface Tokenizer {
  /** Name of the tokenizer as it stands in files; one name stands for one rule, for ever. */
  String name();

  /**
   * Hands out the tokens of a text in the order in which they stand there, repeated ones as often
   * as they do; each has 1 to {@link TokenKey#MAX_TOKEN_BYTES} bytes.
   *
   * @param text UTF-8; what is malformed stands for U+FFFD, byte by byte
   */
  void tokenize(Slice text, TokenSink sink);
}
