package dev.varve.benchmarks.text;

import dev.varve.benchmarks.index.Digest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Texts of tweets: 140 characters of words that are drawn from a vocabulary of 50,000 by Zipf's
 * law, the i-th in proportion to 1/i. Words are of lower-case ASCII letters and of 3 to 10 of them,
 * short ones more often; the last word of a text is the one that fills it, cut where it has to be.
 * Immutable.
 */
final class TweetTexts {
  /** Characters of a text, which are its bytes. */
  public static final int LENGTH = 140;

  private static final int VOCABULARY = 50_000;
  private static final int SHORTEST = 3;
  private static final int LENGTHS = 8;
  private static final int LETTERS = 26;
  private static final int NEEDLE_SHORTEST = 6;
  private static final int NEEDLE_LENGTHS = 7;

  private final long seed;
  private final byte[][] vocabulary = new byte[VOCABULARY][];
  private final double[] upTo = new double[VOCABULARY];
  private final byte[][] texts;

  /** Makes texts; a longer sequence of the same seed begins with a shorter one. */
  public TweetTexts(int count, long seed) {
    this.seed = seed;
    SplittableRandom letters = new SplittableRandom(Digest.mix(seed));
    Set<String> taken = new LinkedHashSet<>();
    double sum = 0;
    for (int word = 0; word < VOCABULARY; word++) {
      String made = newWord(letters);
      while (!taken.add(made)) {
        made = newWord(letters);
      }
      vocabulary[word] = made.getBytes(StandardCharsets.US_ASCII);
      sum += 1.0 / (word + 1);
      upTo[word] = sum;
    }
    SplittableRandom random = new SplittableRandom(Digest.mix(seed + 1));
    this.texts = new byte[count][];
    for (int text = 0; text < count; text++) {
      texts[text] = newText(random);
      assert texts[text][0] != ' ' : "a text that begins between words";
    }
  }

  private static String newWord(SplittableRandom random) {
    int length = SHORTEST + random.nextInt(random.nextInt(LENGTHS) + 1);
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < length; i++) {
      word.append((char) ('a' + random.nextInt(LETTERS)));
    }
    return word.toString();
  }

  private byte[] draw(SplittableRandom random) {
    int found = Arrays.binarySearch(upTo, random.nextDouble() * upTo[VOCABULARY - 1]);
    return vocabulary[Math.min(VOCABULARY - 1, found < 0 ? -found - 1 : found)];
  }

  private byte[] newText(SplittableRandom random) {
    byte[] text = new byte[LENGTH];
    int at = 0;
    while (at < LENGTH) {
      byte[] word = draw(random);
      int length = Math.min(word.length, LENGTH - at);
      System.arraycopy(word, 0, text, at, length);
      at += length;
      if (at < LENGTH) {
        text[at++] = ' ';
      }
    }
    return text;
  }

  /** How many texts there are. */
  public int count() {
    return texts.length;
  }

  /** A text; not to be changed. */
  public byte[] text(int number) {
    return texts[number];
  }

  /** Pairs of different words, both drawn as the words of texts are. */
  public List<String> pairs(int count) {
    SplittableRandom random = new SplittableRandom(Digest.mix(seed + 2));
    List<String> pairs = new ArrayList<>();
    while (pairs.size() < count) {
      byte[] first = draw(random);
      byte[] second = draw(random);
      if (!Arrays.equals(first, second)) {
        pairs.add(
            new String(first, StandardCharsets.US_ASCII)
                + ' '
                + new String(second, StandardCharsets.US_ASCII));
      }
    }
    return pairs;
  }

  /** Parts of 6 to 12 characters of texts, which may begin and end within a word. */
  public List<String> needles(int count) {
    SplittableRandom random = new SplittableRandom(Digest.mix(seed + 3));
    List<String> needles = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] text = texts[random.nextInt(texts.length)];
      int length = NEEDLE_SHORTEST + random.nextInt(NEEDLE_LENGTHS);
      int from = random.nextInt(LENGTH - length + 1);
      needles.add(new String(text, from, length, StandardCharsets.US_ASCII));
    }
    return needles;
  }

  /** Whether a text has a needle: how all stores' candidates are told from answers. */
  public boolean contains(int number, byte[] needle) {
    byte[] text = texts[number];
    for (int from = 0; from + needle.length <= text.length; from++) {
      int same = 0;
      while (same < needle.length && text[from + same] == needle[same]) {
        same++;
      }
      if (same == needle.length) {
        return true;
      }
    }
    return false;
  }
}
