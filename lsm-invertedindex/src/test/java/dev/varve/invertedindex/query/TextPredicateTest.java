package dev.varve.invertedindex.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.testkit.Seeds;
import dev.varve.invertedindex.TextModel;
import dev.varve.invertedindex.token.KeywordTokenizer;
import dev.varve.invertedindex.token.NGramTokenizer;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What questions hold for. */
class TextPredicateTest {
  private static final KeywordTokenizer WORDS = new KeywordTokenizer();

  private static boolean holds(TextPredicate predicate, String text) {
    return predicate.test(TextModel.utf8(text));
  }

  @Test
  void wordsAreLookedForWhole() {
    assertTrue(holds(TextPredicate.allWords(WORDS, "big Data"), "data: BIG, bigger"));
    assertFalse(holds(TextPredicate.allWords(WORDS, "big data"), "bigger data"));
    assertTrue(holds(TextPredicate.anyWord(WORDS, "big data"), "bigger data"));
    assertFalse(holds(TextPredicate.anyWord(WORDS, "big data"), ""));
    assertTrue(holds(TextPredicate.atLeast(WORDS, "a b c", 2), "c x a"));
    assertFalse(holds(TextPredicate.atLeast(WORDS, "a b c", 2), "c x c"));
  }

  @Test
  void aPhraseIsItsWordsInARow() {
    TextPredicate phrase = TextPredicate.phrase(WORDS, "not to be");
    assertTrue(holds(phrase, "or NOT -- to be!"));
    assertTrue(holds(phrase, "not to not to be"));
    assertFalse(holds(phrase, "not to"));
    assertFalse(holds(phrase, "to be not"));
    assertFalse(holds(phrase, "not to bee"));
    assertFalse(holds(phrase, "knot to be"));
    assertFalse(holds(phrase, "not to see to be"));
  }

  @Test
  void aSubstringIsItsCharactersInARow() {
    assertTrue(holds(TextPredicate.substring("CaFé"), "le CAFÉ, un"));
    assertFalse(holds(TextPredicate.substring("café"), "cafe"));
    assertTrue(holds(TextPredicate.substring("a.b"), "xa.b"));
    assertTrue(holds(TextPredicate.substring("\uD83D\uDE00"), "x\uD83D\uDE00y"));
    assertFalse(holds(TextPredicate.substring("\uD83D\uDE00"), "x\uD83D\uDE01y"));
    assertTrue(holds(TextPredicate.substring(""), ""));
  }

  @Test
  void similarityIsTheShareOfCommonTokens() {
    assertTrue(holds(TextPredicate.jaccard(WORDS, "a b c", 0.5), "b c d"));
    assertFalse(holds(TextPredicate.jaccard(WORDS, "a b c", 0.51), "b c d"));
    assertTrue(holds(TextPredicate.jaccard(WORDS, "a b c", 1), "c, c, b A"));
    assertFalse(holds(TextPredicate.jaccard(new NGramTokenizer(3), "ab", 0.1), "ab"));
  }

  @Test
  void editsAreChangedAddedAndRemovedCharacters() {
    assertTrue(holds(TextPredicate.editDistance("kitten", 3), "SITTING"));
    assertFalse(holds(TextPredicate.editDistance("kitten", 2), "sitting"));
    assertTrue(holds(TextPredicate.editDistance("", 2), "é\uD83D\uDE00"));
    assertFalse(holds(TextPredicate.editDistance("", 1), "é\uD83D\uDE00"));
    assertTrue(holds(TextPredicate.editDistance("abc", 0), "ABC"));
  }

  @Test
  void theBandGivesTheAnswerOfTheWholeTable() {
    RandomGenerator random = Seeds.random(Seeds.one(3));
    for (int i = 0; i < 50_000; i++) {
      int[] left = random.ints(random.nextInt(9), 0, 3).toArray();
      int[] right = random.ints(random.nextInt(9), 0, 3).toArray();
      int distance = distance(left, right);
      for (int bound = 0; bound < 10; bound++) {
        assertEquals(
            distance <= bound,
            EditDistance.isAtMost(left, right, bound),
            () -> Arrays.toString(left) + " " + Arrays.toString(right));
      }
    }
  }

  private static int distance(int[] left, int[] right) {
    int[][] table = new int[left.length + 1][right.length + 1];
    for (int i = 0; i <= left.length; i++) {
      for (int j = 0; j <= right.length; j++) {
        if (i == 0 || j == 0) {
          table[i][j] = i + j;
        } else {
          int changed = table[i - 1][j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1);
          table[i][j] = Math.min(changed, 1 + Math.min(table[i - 1][j], table[i][j - 1]));
        }
      }
    }
    return table[left.length][right.length];
  }
}
