package dev.varve.invertedindex.token;

import dev.varve.common.bytes.Slice;
import dev.varve.common.index.PlugIns;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Takes text apart into the tokens by which it is found. A tokenizer is a pure function: the tokens
 * of a text never change, because an index that is on disk was written with them. Thread-safe.
 *
 * <p>Tokenizers are plug-ins: a class with a constructor without parameters, named in {@code
 * META-INF/services/dev.varve.invertedindex.token.Tokenizer} of a jar on the class path, is found
 * by its name, and an index of that name takes its texts apart with it.
 */
public interface Tokenizer {
  /** The tokenizers on the class path, found by the loader of the inverted index. */
  PlugIns<Tokenizer> INSTALLED =
      new PlugIns<>(
          () ->
              ServiceLoader.load(Tokenizer.class, Tokenizer.class.getClassLoader()).stream()
                  .map(provider -> provider.get()),
          Tokenizer::named,
          Tokenizer::names);

  /** Name of the tokenizer as it stands in files; one name stands for one rule, for ever. */
  String name();

  /**
   * Hands out the tokens of a text in the order in which they stand there, repeated ones as often
   * as they do; each has 1 to {@link TokenKey#MAX_TOKEN_BYTES} bytes.
   *
   * @param text UTF-8; what is malformed stands for U+FFFD, byte by byte
   */
  void tokenize(Slice text, TokenSink sink);

  /**
   * The length of its tokens when they are all runs of so many characters of the folded text, so
   * that a substring has no other ones; 0 when they are words.
   */
  default int gramCharacters() {
    return 0;
  }

  /**
   * The tokenizer with a name; one with options has them in its name.
   *
   * @return null when the name is not one of this tokenizer's
   * @throws IllegalArgumentException when it is, but with options that are out of range
   */
  default @Nullable Tokenizer named(String name) {
    return name.equals(name()) ? this : null;
  }

  /** The names that {@link #named} knows, to be read by people. */
  default String names() {
    return name();
  }
}
