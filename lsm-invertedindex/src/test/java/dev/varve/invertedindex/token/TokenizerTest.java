package dev.varve.invertedindex.token;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.testkit.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What texts are taken apart into. */
class TokenizerTest {
  private static final String GRINNING = "\uD83D\uDE00";

  private static List<String> tokens(Tokenizer tokenizer, byte[] text) {
    List<String> tokens = new ArrayList<>();
    // Neither the first nor the last byte of its array, so that offsets count.
    byte[] around = new byte[text.length + 2];
    around[0] = 'x';
    around[text.length + 1] = 'x';
    System.arraycopy(text, 0, around, 1, text.length);
    tokenizer.tokenize(
        new Slice(around, 1, text.length),
        (bytes, offset, length) ->
            tokens.add(new String(bytes, offset, length, StandardCharsets.UTF_8)));
    return tokens;
  }

  private static List<String> words(String text) {
    return tokens(new KeywordTokenizer(), text.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> grams(int n, String text) {
    return tokens(new NGramTokenizer(n), text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void wordsAreRunsOfLettersAndDigitsInLowerCase() {
    assertEquals(List.of("hello", "world"), words("Hello, World!"));
    assertEquals(List.of("route", "66", "r2d2"), words("  route-66;R2D2"));
    assertEquals(List.of("don", "t"), words("don't"));
    assertEquals(List.of("a", "a"), words("a A"));
    assertEquals(List.of("under", "score"), words("under_score"));
  }

  @Test
  void textsWithoutLettersOrDigitsHaveNoWords() {
    assertEquals(List.of(), words(""));
    assertEquals(List.of(), words(" \t\n.,;-_\0"));
    assertEquals(List.of(), words(GRINNING + "\u2764\uFE0F \u2014"));
  }

  @Test
  void caseIsFoldedInAllScripts() {
    assertEquals(List.of("éclair", "größe", "привет"), words("ÉCLAIR Größe ПРИВЕТ"));
    // Sigma has two small forms, of which one ends words.
    assertEquals(words("ΟΔΟΣ"), words("οδος"));
    // Deseret, outside of the basic plane.
    assertEquals(List.of("\uD801\uDC28"), words("\uD801\uDC00"));
    // The Kelvin sign is a K, and its UTF-8 is longer.
    assertEquals(List.of("5k"), words("5\u212A"));
    // U+023A folds to U+2C65, whose UTF-8 is longer.
    assertEquals(List.of("\u2C65"), words("\u023A"));
  }

  @Test
  void marksGoOnWithAWordAndBeginNone() {
    assertEquals(List.of("e\u0301t\u00e9"), words("e\u0301t\u00e9"));
    assertEquals(List.of("हिन्दी"), words("हिन्दी"));
    assertEquals(List.of("a"), words("\u0301 a"));
    assertEquals(List.of("1"), words("1\uFE0F"));
  }

  @Test
  void emojiSeparate() {
    assertEquals(List.of("so", "good"), words("so" + GRINNING + "good"));
  }

  @Test
  void ideographsAreOneWord() {
    assertEquals(List.of("日本語", "テキスト"), words("日本語、テキスト。"));
  }

  @Test
  void malformedBytesSeparate() {
    byte[] text = {
      'a', (byte) 0x80, 'b', (byte) 0xC3, 'c', (byte) 0xFF, 'd', (byte) 0xE2, (byte) 0x82
    };
    assertEquals(List.of("a", "b", "c", "d"), tokens(new KeywordTokenizer(), text));
    // A surrogate, an overlong slash, and what is above the last code point.
    byte[] forbidden = {
      'a',
      (byte) 0xED,
      (byte) 0xA0,
      (byte) 0x80,
      'b',
      (byte) 0xC0,
      (byte) 0xAF,
      'c',
      (byte) 0xF4,
      (byte) 0x90,
      (byte) 0x80,
      (byte) 0x80,
      'd'
    };
    assertEquals(List.of("a", "b", "c", "d"), tokens(new KeywordTokenizer(), forbidden));
  }

  @Test
  void longWordsAreCutBetweenCharacters() {
    assertEquals(List.of("a".repeat(255), "b"), words("a".repeat(1000) + " b"));
    assertEquals(List.of("é".repeat(127), "b"), words("é".repeat(200) + " b"));
    // What is cut stays cut, though a shorter character would fit.
    assertEquals(List.of("é".repeat(127)), words("é".repeat(128) + "a"));
    assertEquals(List.of("a" + "é".repeat(127)), words("a" + "é".repeat(127) + "a"));
  }

  @Test
  void nGramsAreAllRunsOfSoManyCharacters() {
    assertEquals(List.of("abc", "bcd"), grams(3, "aBCd"));
    assertEquals(List.of("a b", " b ", "b c"), grams(3, "a b c"));
    assertEquals(List.of("aa", "aa"), grams(2, "aaa"));
    assertEquals(List.of("abc"), grams(3, "abc"));
    assertEquals(138, grams(3, "x".repeat(140)).size());
  }

  @Test
  void textsShorterThanAnNGramHaveNone() {
    assertEquals(List.of(), grams(3, ""));
    assertEquals(List.of(), grams(3, "ab"));
    assertEquals(List.of(), grams(3, "é" + GRINNING));
  }

  @Test
  void nGramsCountCharactersNotBytes() {
    assertEquals(List.of("né" + GRINNING, "é" + GRINNING + "x"), grams(3, "NÉ" + GRINNING + "X"));
    assertEquals(List.of("k\u2C65"), grams(2, "\u212A\u023A"));
    assertEquals(
        16 * 4, grams(16, GRINNING.repeat(16)).get(0).getBytes(StandardCharsets.UTF_8).length);
  }

  @Test
  void malformedBytesAreCharactersOfNGrams() {
    byte[] text = {'a', (byte) 0x80, (byte) 0xFF, 'b'};
    assertEquals(
        List.of("a\uFFFD", "\uFFFD\uFFFD", "\uFFFDb"), tokens(new NGramTokenizer(2), text));
  }

  @Test
  void namesTellTheRule() {
    assertEquals("keyword", new KeywordTokenizer().name());
    assertEquals("ngram3", new NGramTokenizer(3).name());
    assertThrows(IllegalArgumentException.class, () -> new NGramTokenizer(0));
    assertThrows(IllegalArgumentException.class, () -> new NGramTokenizer(17));
  }

  @Test
  void anyBytesAreTakenApart() {
    RandomGenerator random = Seeds.random(Seeds.one(7));
    for (int i = 0; i < 20_000; i++) {
      byte[] text = new byte[random.nextInt(40)];
      random.nextBytes(text);
      for (Tokenizer tokenizer : List.of(new KeywordTokenizer(), new NGramTokenizer(4))) {
        tokenizer.tokenize(
            new Slice(text),
            (bytes, offset, length) ->
                assertTrue(length >= 1 && length <= TokenKey.MAX_TOKEN_BYTES));
      }
    }
  }
}
