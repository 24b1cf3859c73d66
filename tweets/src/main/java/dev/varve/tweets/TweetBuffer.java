package dev.varve.tweets;

import dev.varve.common.bytes.Bytes;

/**
 * A reusable array that a tweet is written into from left to right. Writes nothing but ASCII and
 * the words of a vocabulary, without a conversion and without an allocation. Confined to its
 * generator.
 */
final class TweetBuffer {
  /** Above every tweet: the longest one that the generator's bounds allow has under 2,600 bytes. */
  private static final int CAPACITY = 4096;

  private static final byte[] PAIRS = pairs();

  private final byte[] bytes = new byte[CAPACITY];
  private final TweetVocabulary vocabulary;
  private int end;

  TweetBuffer(TweetVocabulary vocabulary) {
    this.vocabulary = vocabulary;
  }

  private static byte[] pairs() {
    byte[] pairs = new byte[200];
    for (int i = 0; i < 100; i++) {
      pairs[2 * i] = (byte) ('0' + i / 10);
      pairs[2 * i + 1] = (byte) ('0' + i % 10);
    }
    return pairs;
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return end;
  }

  void clear() {
    end = 0;
  }

  void put(byte[] text) {
    System.arraycopy(text, 0, bytes, end, text.length);
    end += text.length;
  }

  void put(char ascii) {
    bytes[end++] = (byte) ascii;
  }

  /** Takes the last byte back: the blank behind the last word of a text. */
  void dropLast() {
    end--;
  }

  /** A word and a blank behind it. */
  void putWord(int word) {
    byte[] words = vocabulary.bytes();
    int from = word * TweetVocabulary.SLOT;
    Bytes.putLong(bytes, end, Bytes.getLong(words, from));
    Bytes.putLong(bytes, end + Long.BYTES, Bytes.getLong(words, from + Long.BYTES));
    end += vocabulary.length(word) + 1;
  }

  /** A word that begins with a capital, and a blank; every word begins with an ASCII letter. */
  void putCapitalised(int word) {
    int at = end;
    putWord(word);
    bytes[at] = (byte) (bytes[at] - ('a' - 'A'));
  }

  /** A decimal number. */
  void put(long number) {
    long rest = number;
    if (rest < 0) {
      put('-');
      rest = -rest;
    }
    int digits = 1;
    for (long bound = 10; digits < 19 && rest >= bound; bound *= 10) {
      digits++;
    }
    putDigits(rest, digits);
  }

  /** A decimal number with leading zeros. */
  void putDigits(long number, int digits) {
    long rest = number;
    int at = end + digits;
    while (at - end >= 2) {
      int pair = (int) (rest % 100) * 2;
      rest /= 100;
      at -= 2;
      bytes[at] = PAIRS[pair];
      bytes[at + 1] = PAIRS[pair + 1];
    }
    if (at > end) {
      bytes[end] = (byte) ('0' + rest % 10);
    }
    end += digits;
  }

  /** A number given in millionths, as a decimal fraction of six digits. */
  void putMillionths(int millionths) {
    int rest = millionths;
    if (rest < 0) {
      put('-');
      rest = -rest;
    }
    put((long) (rest / 1_000_000));
    put('.');
    putDigits(rest % 1_000_000, 6);
  }
}
