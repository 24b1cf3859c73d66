package dev.varve.invertedindex.query;

import dev.varve.common.bytes.Slice;
import dev.varve.invertedindex.token.FoldedText;
import dev.varve.invertedindex.token.Tokenizer;

/**
 * Whether a question holds for a text, looked at without an index: what tells the answers from the
 * candidates of a {@link TextQuery}, and from what an index says about transactions that have not
 * committed. Pure; immutable and thread-safe.
 */
@FunctionalInterface
public interface TextPredicate {
  /** Whether it holds for a text in UTF-8. */
  boolean test(Slice text);

  /** It has all tokens of a text. */
  static TextPredicate allWords(Tokenizer tokenizer, String words) {
    SharedTokens wanted = new SharedTokens(tokenizer, words);
    return text -> wanted.atLeast(wanted.count(), text);
  }

  /** It has one token of a text or more. */
  static TextPredicate anyWord(Tokenizer tokenizer, String words) {
    return atLeast(tokenizer, words, 1);
  }

  /** It has so many of the distinct tokens of a text or more. */
  static TextPredicate atLeast(Tokenizer tokenizer, String words, int count) {
    SharedTokens wanted = new SharedTokens(tokenizer, words);
    return text -> wanted.atLeast(count, text);
  }

  /** It has the tokens of a text one after the other, with none in between. */
  static TextPredicate phrase(Tokenizer tokenizer, String phrase) {
    TokenText wanted = TokenText.of(tokenizer, TokenText.utf8(phrase));
    return text -> TokenText.of(tokenizer, text).contains(wanted);
  }

  /** It has these characters one after the other, letter case aside. */
  static TextPredicate substring(String needle) {
    FoldedText wanted = FoldedText.of(TokenText.utf8(needle));
    return text -> FoldedText.of(text).contains(wanted);
  }

  /** The tokens that both have are at least this share of the tokens that either has. */
  static TextPredicate jaccard(Tokenizer tokenizer, String other, double similarity) {
    SharedTokens wanted = new SharedTokens(tokenizer, other);
    return text -> wanted.similar(similarity, text);
  }

  /** It is so many changed, added or removed characters away at most, letter case aside. */
  static TextPredicate editDistance(String other, int edits) {
    int[] wanted = FoldedText.of(TokenText.utf8(other)).codePoints();
    return text -> EditDistance.isAtMost(wanted, FoldedText.of(text).codePoints(), edits);
  }
}
