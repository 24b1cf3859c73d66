package dev.varve.invertedindex.query;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.invertedindex.token.FoldedText;
import dev.varve.invertedindex.token.Tokenizer;
import java.util.ArrayList;
import java.util.List;

/**
 * Which documents an inverted index is asked for: those that have at least so many of some tokens.
 * Every document that a caller is after is among them; where the question is more than that, {@link
 * TextPredicate} tells which of them it holds for. Immutable and thread-safe.
 */
public final class TextQuery {
  /** Most distinct tokens of a query. */
  public static final int MAX_TOKENS = 1 << 14;

  /** Below what two numbers of the same value may differ by when they were computed. */
  static final double ROUNDING = 1e-9;

  private final List<byte[]> tokens;
  private final int threshold;

  private TextQuery(List<byte[]> tokens, int threshold) {
    assert !tokens.isEmpty() && threshold > 0 : threshold + " of " + tokens.size();
    this.tokens = tokens;
    this.threshold = threshold;
  }

  /** Documents that have all tokens of a text. */
  public static TextQuery allWords(Tokenizer tokenizer, String text) throws StorageException {
    List<byte[]> tokens = tokens(tokenizer, text);
    return new TextQuery(tokens, tokens.size());
  }

  /** Documents that have one token of a text or more. */
  public static TextQuery anyWord(Tokenizer tokenizer, String text) throws StorageException {
    return atLeast(tokenizer, text, 1);
  }

  /**
   * Documents that have so many of the tokens of a text or more.
   *
   * @param count at least 1; above the number of distinct tokens it finds nothing
   */
  public static TextQuery atLeast(Tokenizer tokenizer, String text, int count)
      throws StorageException {
    if (count < 1) {
      throw unanswerable("every document has " + count + " tokens or more, at least 1 is possible");
    }
    return new TextQuery(tokens(tokenizer, text), count);
  }

  /** Candidates for {@link TextPredicate#phrase}: documents that have all of its words. */
  public static TextQuery phrase(Tokenizer tokenizer, String phrase) throws StorageException {
    return allWords(tokenizer, phrase);
  }

  /**
   * Candidates for {@link TextPredicate#jaccard}. A document that shares c of the text's n tokens
   * has a similarity of c / n at most, so at least similarity times n must be shared.
   *
   * @param similarity above 0, at most 1
   */
  public static TextQuery jaccard(Tokenizer tokenizer, String text, double similarity)
      throws StorageException {
    if (!(similarity > 0 && similarity <= 1)) {
      throw unanswerable("a similarity of " + similarity + ", it must be above 0 and at most 1");
    }
    List<byte[]> tokens = tokens(tokenizer, text);
    int shared = (int) Math.ceil(similarity * tokens.size() - ROUNDING);
    return new TextQuery(tokens, Math.max(1, shared));
  }

  /**
   * Candidates for {@link TextPredicate#substring}: documents that have all n-grams of a needle.
   *
   * @param tokenizer one of n-grams
   * @throws RequestException with {@code UNSUPPORTED} when the needle is shorter than an n-gram
   */
  public static TextQuery substring(Tokenizer tokenizer, String needle) throws StorageException {
    int length = FoldedText.of(TokenText.utf8(needle)).count();
    if (length < tokenizer.gramCharacters()) {
      throw unanswerable(
          String.format(
              "'%s' has %d characters, and an index of %s finds substrings of %d or more: ask for"
                  + " a longer one, or look through the records",
              needle, length, tokenizer.name(), tokenizer.gramCharacters()));
    }
    return allWords(tokenizer, needle);
  }

  /**
   * Candidates for {@link TextPredicate#editDistance}. Changing, adding or removing a character
   * takes n n-grams away at most, so what is k edits away shares all but k times n of them.
   *
   * @param edits at least 0
   * @throws RequestException with {@code UNSUPPORTED} when so many edits may take every n-gram away
   */
  public static TextQuery editDistance(Tokenizer tokenizer, String text, int edits)
      throws StorageException {
    if (edits < 0) {
      throw unanswerable("an edit distance of " + edits);
    }
    List<byte[]> tokens = tokens(tokenizer, text);
    long shared = tokens.size() - (long) edits * tokenizer.gramCharacters();
    if (shared < 1) {
      throw unanswerable(
          String.format(
              "'%s' has %d different n-grams, of which %d edits can take %d away, so an index of"
                  + " %s cannot tell what is that close: allow fewer edits, use a shorter n-gram,"
                  + " or look through the records",
              text,
              tokens.size(),
              edits,
              (long) edits * tokenizer.gramCharacters(),
              tokenizer.name()));
    }
    return new TextQuery(tokens, (int) shared);
  }

  private static List<byte[]> tokens(Tokenizer tokenizer, String text) throws StorageException {
    List<byte[]> tokens = new ArrayList<>(TokenText.of(tokenizer, TokenText.utf8(text)).distinct());
    if (tokens.isEmpty()) {
      throw unanswerable(
          "'" + text + "' has no tokens by the rule of '" + tokenizer.name() + "'; give one");
    }
    if (tokens.size() > MAX_TOKENS) {
      throw new LimitException("distinct tokens of a query", tokens.size(), MAX_TOKENS);
    }
    return tokens;
  }

  private static RequestException unanswerable(String problem) {
    return new RequestException(RequestException.Reason.UNSUPPORTED, problem);
  }

  /** Number of distinct tokens. */
  public int tokenCount() {
    return tokens.size();
  }

  /** How many of the tokens a document must have. */
  public int threshold() {
    return threshold;
  }

  /** Points a slice at a token as it stands in keys, its length in front, and returns the slice. */
  public Slice viewToken(int index, Slice target) {
    byte[] token = tokens.get(index);
    return target.set(token, 0, token.length);
  }

  @Override
  public String toString() {
    return threshold + " of " + tokens.size() + " tokens";
  }
}
