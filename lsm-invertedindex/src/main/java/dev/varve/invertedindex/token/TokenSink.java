package dev.varve.invertedindex.token;

/** Takes the tokens of a text. Confined to one thread. */
@FunctionalInterface
public interface TokenSink {
  /** Takes a token; its bytes are valid during the call. */
  void accept(byte[] bytes, int offset, int length);
}
