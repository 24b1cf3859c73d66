package dev.varve.tweets;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/**
 * The words of the tweets: made of syllables, drawn with Zipf's frequencies (the word of rank r
 * about as often as 1/r). Every word stands in a slot of {@link #SLOT} bytes with a blank behind
 * it, so that a word is copied as two longs, whatever its length.
 *
 * <p>Immutable once made; thread-safe.
 */
final class TweetVocabulary {
  /** Bytes from one word to the next in {@link #bytes}. */
  static final int SLOT = 16;

  /** Number of words. */
  static final int WORDS = 4096;

  private static final int DRAWS = 1 << 16;
  private static final int MAX_WORD_BYTES = SLOT - 1;

  private static final String[] ONSETS = {
    "b", "br", "c", "ch", "d", "dr", "f", "g", "gr", "h", "j", "k", "kl", "l", "m", "n", "p", "pl",
    "r", "s", "sh", "st", "t", "tr", "v", "w", "y", "z"
  };
  private static final String[] VOWELS = {
    "a", "a", "e", "e", "e", "i", "i", "o", "o", "u", "ai", "ea", "ou", "\u00e9", "\u00fc"
  };
  private static final String[] CODAS = {"", "", "", "n", "r", "s", "l", "m", "nd", "st"};

  private final byte[] slots = new byte[WORDS * SLOT];
  private final byte[] lengths = new byte[WORDS];
  private final short[] draws = new short[DRAWS];

  TweetVocabulary(long seed) {
    makeWords(seed);
    makeDraws();
  }

  private void makeWords(long seed) {
    Set<String> seen = new HashSet<>();
    long step = 0;
    for (int rank = 0; rank < WORDS; ) {
      long bits = TweetGenerator.mix(seed + step++ * TweetGenerator.GOLDEN);
      // Frequent words are short, as in real languages; the tail has up to four syllables.
      int syllables = 1 + (int) (((bits & 0xFF) * Math.min(rank / 48 + 1, 4)) >>> 8);
      String word = makeWord(bits >>> 8, syllables);
      byte[] utf8 = word.getBytes(StandardCharsets.UTF_8);
      if (utf8.length > MAX_WORD_BYTES || !seen.add(word)) {
        continue;
      }
      System.arraycopy(utf8, 0, slots, rank * SLOT, utf8.length);
      slots[rank * SLOT + utf8.length] = ' ';
      lengths[rank] = (byte) utf8.length;
      rank++;
    }
  }

  private static String makeWord(long bits, int syllables) {
    StringBuilder word = new StringBuilder();
    long rest = bits;
    for (int i = 0; i < syllables; i++) {
      word.append(ONSETS[(int) (rest & 0xFF) % ONSETS.length]);
      word.append(VOWELS[(int) (rest >>> 8 & 0xFF) % VOWELS.length]);
      if (i == syllables - 1) {
        word.append(CODAS[(int) (rest >>> 16 & 0xFF) % CODAS.length]);
      }
      rest = TweetGenerator.mix(rest);
    }
    return word.toString();
  }

  /** Fills the draw table: each word gets a share of the 65,536 draws in proportion to 1/rank. */
  private void makeDraws() {
    double total = 0;
    for (int rank = 0; rank < WORDS; rank++) {
      total += 1.0 / (rank + 2.7);
    }
    double cumulative = 0;
    int next = 0;
    for (int rank = 0; rank < WORDS; rank++) {
      cumulative += 1.0 / (rank + 2.7);
      int end = rank == WORDS - 1 ? DRAWS : (int) (cumulative / total * DRAWS);
      while (next < end) {
        draws[next++] = (short) rank;
      }
    }
    assert next == DRAWS : next;
  }

  /** The word that 16 random bits stand for. */
  int draw(int bits) {
    return draws[bits & (DRAWS - 1)];
  }

  /** All words, {@link #SLOT} bytes each: the word in UTF-8, then a blank. */
  byte[] bytes() {
    return slots;
  }

  /** Bytes of a word, without the blank. */
  int length(int word) {
    return lengths[word];
  }
}
