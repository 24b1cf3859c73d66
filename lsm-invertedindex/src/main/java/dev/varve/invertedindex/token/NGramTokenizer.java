package dev.varve.invertedindex.token;

import dev.varve.common.bytes.Slice;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Every run of so many characters, case folded, spaces and punctuation included. Not padded at the
 * ends: a text of m characters has m - n + 1 n-grams, one shorter than n has none. So whatever
 * contains a needle of n characters or more has all n-grams of the needle, and padding, which only
 * tells where a text begins and ends, would add 2 (n - 1) entries a document to say nothing about
 * that. Immutable and thread-safe.
 */
public final class NGramTokenizer implements Tokenizer {
  /**
   * Longest n-gram: its UTF-8 fits into a token, and longer ones find nothing that words do not.
   */
  public static final int MAX_CHARACTERS = 16;

  private static final Pattern NAME = Pattern.compile("ngram([0-9]{1,2})");

  /** Shortest and longest n-grams that an index is found by the name of. */
  private static final int SHORTEST_NAMED = 2;

  private static final int LONGEST_NAMED = 8;

  private final int characters;

  /** For n-grams of three characters, the length that most texts are best found by. */
  public NGramTokenizer() {
    this(3);
  }

  /**
   * A tokenizer.
   *
   * @param characters n, from 1 to {@link #MAX_CHARACTERS}
   */
  public NGramTokenizer(int characters) {
    if (characters < 1 || characters > MAX_CHARACTERS) {
      throw new IllegalArgumentException(
          "n-grams of " + characters + " characters, 1 to " + MAX_CHARACTERS + " are possible");
    }
    this.characters = characters;
  }

  @Override
  public int gramCharacters() {
    return characters;
  }

  @Override
  public @Nullable Tokenizer named(String name) {
    Matcher length = NAME.matcher(name);
    if (!length.matches()) {
      return null;
    }
    int wanted = Integer.parseInt(length.group(1));
    if (wanted < SHORTEST_NAMED || wanted > LONGEST_NAMED) {
      throw new IllegalArgumentException(
          "n-grams of " + wanted + " characters, not " + SHORTEST_NAMED + " to " + LONGEST_NAMED);
    }
    return new NGramTokenizer(wanted);
  }

  @Override
  public String names() {
    return "ngram" + SHORTEST_NAMED + " to ngram" + LONGEST_NAMED;
  }

  @Override
  public String name() {
    return "ngram" + characters;
  }

  @Override
  public void tokenize(Slice text, TokenSink sink) {
    FoldedText folded = FoldedText.of(text);
    byte[] bytes = folded.bytes();
    for (int i = 0; i + characters <= folded.count(); i++) {
      int start = folded.start(i);
      sink.accept(bytes, start, folded.start(i + characters) - start);
    }
  }
}
