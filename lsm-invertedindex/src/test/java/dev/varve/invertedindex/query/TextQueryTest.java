package dev.varve.invertedindex.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.invertedindex.TextModel;
import dev.varve.invertedindex.token.KeywordTokenizer;
import dev.varve.invertedindex.token.NGramTokenizer;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What is asked for by each kind of question, and that no answer is missed. */
class TextQueryTest {
  private static final KeywordTokenizer WORDS = new KeywordTokenizer();
  private static final NGramTokenizer TRIGRAMS = new NGramTokenizer(3);
  private static final NGramTokenizer BIGRAMS = new NGramTokenizer(2);

  private static void assertAsks(int threshold, int tokens, TextQuery query) {
    assertEquals(threshold + " of " + tokens + " tokens", query.toString());
    assertEquals(threshold, query.threshold());
    assertEquals(tokens, query.tokenCount());
  }

  private static void assertRefused(String message, Executable question) {
    RequestException refused = assertThrows(RequestException.class, question);
    assertEquals(RequestException.Reason.UNSUPPORTED, refused.reason());
    assertTrue(refused.getMessage().contains(message), refused::getMessage);
  }

  @Test
  void repeatedTokensCountOnce() throws StorageException {
    assertAsks(2, 2, TextQuery.allWords(WORDS, "to be, TO BE"));
    assertAsks(1, 2, TextQuery.anyWord(WORDS, "to be"));
    assertAsks(3, 2, TextQuery.atLeast(WORDS, "to be", 3));
    assertAsks(4, 4, TextQuery.phrase(WORDS, "to be or not"));
  }

  @Test
  void tokensComeInTheOrderOfKeysWithTheirLength() throws StorageException {
    TextQuery query = TextQuery.allWords(WORDS, "bb a c");
    Slice view = new Slice();
    assertEquals("0161", query.viewToken(0, view).toString());
    assertEquals("0163", query.viewToken(1, view).toString());
    assertEquals("026262", query.viewToken(2, view).toString());
  }

  @Test
  void whatNoIndexCanAnswerIsRefusedWithWhatToDo() {
    assertRefused("has no tokens", () -> TextQuery.allWords(WORDS, " - "));
    assertRefused("at least 1", () -> TextQuery.atLeast(WORDS, "a", 0));
    assertRefused("has 2 characters", () -> TextQuery.substring(TRIGRAMS, "é\uD83D\uDE00"));
    assertRefused("above 0", () -> TextQuery.jaccard(WORDS, "a", 0));
    assertRefused("above 0", () -> TextQuery.jaccard(WORDS, "a", Double.NaN));
    assertRefused("edit distance of -1", () -> TextQuery.editDistance(TRIGRAMS, "abcdef", -1));
    assertRefused("allow fewer edits", () -> TextQuery.editDistance(TRIGRAMS, "abcdefgh", 2));
    String long16k = "x".repeat(255);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i <= TextQuery.MAX_TOKENS; i++) {
      text.append(Integer.toString(i, 36)).append(' ');
    }
    assertThrows(LimitException.class, () -> TextQuery.anyWord(WORDS, text + long16k));
  }

  @Test
  void similarityAsksForAShareOfTheTokens() throws StorageException {
    assertAsks(3, 5, TextQuery.jaccard(WORDS, "a b c d e", 0.6));
    assertAsks(4, 5, TextQuery.jaccard(WORDS, "a b c d e", 0.61));
    assertAsks(1, 5, TextQuery.jaccard(WORDS, "a b c d e", 0.01));
    assertAsks(5, 5, TextQuery.jaccard(WORDS, "a b c d e", 1));
  }

  @Test
  void editsTakeNGramsAway() throws StorageException {
    assertAsks(6, 6, TextQuery.editDistance(TRIGRAMS, "abcdefgh", 0));
    assertAsks(3, 6, TextQuery.editDistance(TRIGRAMS, "abcdefgh", 1));
    assertAsks(3, 3, TextQuery.substring(TRIGRAMS, "abcde"));
  }

  private static String word(RandomGenerator random, int from, int to) {
    StringBuilder word = new StringBuilder();
    for (int i = random.nextInt(from, to); i > 0; i--) {
      word.append("abé ".charAt(random.nextInt(4)));
    }
    return word.toString();
  }

  /** Whatever a predicate holds for has as many of the tokens as the query asks for. */
  @Test
  void noAnswerIsMissed() throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(11));
    TextModel model = new TextModel(BIGRAMS);
    int held = 0;
    for (int i = 0; i < 30_000; i++) {
      String text = word(random, 4, 12);
      String candidate = random.nextBoolean() ? edited(text, random) : word(random, 0, 12);
      int edits = random.nextInt(3);
      double similarity = 0.05 + random.nextInt(20) / 20.0 * 0.95;
      held +=
          require(
              model,
              candidate,
              text,
              () -> TextQuery.editDistance(BIGRAMS, text, edits),
              TextPredicate.editDistance(text, edits));
      held +=
          require(
              model,
              candidate,
              text,
              () -> TextQuery.jaccard(BIGRAMS, text, similarity),
              TextPredicate.jaccard(BIGRAMS, text, similarity));
      String needle = text.substring(random.nextInt(2), text.length() - random.nextInt(2));
      held +=
          require(
              model,
              candidate,
              needle,
              () -> TextQuery.substring(BIGRAMS, needle),
              TextPredicate.substring(needle));
      held +=
          require(
              model,
              candidate,
              text,
              () -> TextQuery.phrase(BIGRAMS, text),
              TextPredicate.phrase(BIGRAMS, text));
    }
    assertTrue(held > 20_000, "held " + held);
  }

  private interface Question {
    TextQuery ask() throws StorageException;
  }

  private static int require(
      TextModel model, String candidate, String text, Question question, TextPredicate predicate)
      throws StorageException {
    if (!predicate.test(TextModel.utf8(candidate))) {
      return 0;
    }
    try {
      int threshold = question.ask().threshold();
      Set<String> shared = model.tokens(candidate);
      shared.retainAll(model.tokens(text));
      assertTrue(shared.size() >= threshold, () -> "'" + candidate + "' for '" + text + "'");
      return 1;
    } catch (RequestException refused) {
      return 0;
    }
  }

  private static String edited(String text, RandomGenerator random) {
    StringBuilder edited = new StringBuilder(text);
    for (int i = random.nextInt(3); i > 0; i--) {
      int at = random.nextInt(edited.length() + 1);
      if (at < edited.length() && random.nextBoolean()) {
        edited.deleteCharAt(at);
      }
      if (random.nextBoolean()) {
        edited.insert(at, word(random, 0, 2));
      }
    }
    return edited.toString();
  }
}
