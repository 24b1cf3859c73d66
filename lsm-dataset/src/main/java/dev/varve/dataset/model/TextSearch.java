package dev.varve.dataset.model;

/**
 * The records whose text is like another one, for keyword and n-gram indexes. Immutable.
 *
 * @param match in what way
 * @param text the words, the phrase, the substring, or the text to be similar to
 * @param bound what {@link Match} says about it; 0 where it says nothing
 */
public record TextSearch(Match match, String text, double bound) implements IndexSearch {
  /** In what way a record's text is like the one that is searched with. */
  public enum Match {
    /** It has all of the words; for keyword indexes. */
    ALL_WORDS,
    /** It has one of the words or more; for keyword indexes. */
    ANY_WORD,
    /** It has as many of the words as the bound says, or more; for keyword indexes. */
    SOME_WORDS,
    /** It has the words one after the other; for keyword indexes. */
    PHRASE,
    /** It contains the characters, letter case aside; for n-gram indexes. */
    SUBSTRING,
    /** The Jaccard similarity of the tokens of both is at least the bound; for both kinds. */
    SIMILAR,
    /** The bound says how many characters have to be changed at most; for n-gram indexes. */
    EDITS
  }

  /** Checks the bound. */
  public TextSearch {
    boolean good =
        switch (match) {
          case ALL_WORDS, ANY_WORD, PHRASE, SUBSTRING -> bound == 0;
          case SOME_WORDS -> bound >= 1 && bound == Math.rint(bound) && bound < 1 << 20;
          case SIMILAR -> bound > 0 && bound <= 1;
          case EDITS -> bound >= 0 && bound == Math.rint(bound) && bound < 1 << 20;
        };
    if (!good) {
      throw new IllegalArgumentException(match + " with a bound of " + bound);
    }
  }

  /** Texts with all of these words. */
  public static TextSearch allWords(String words) {
    return new TextSearch(Match.ALL_WORDS, words, 0);
  }

  /** Texts with one of these words or more. */
  public static TextSearch anyWord(String words) {
    return new TextSearch(Match.ANY_WORD, words, 0);
  }

  /** Texts with so many of these words or more. */
  public static TextSearch someWords(String words, int atLeast) {
    return new TextSearch(Match.SOME_WORDS, words, atLeast);
  }

  /** Texts with these words one after the other. */
  public static TextSearch phrase(String words) {
    return new TextSearch(Match.PHRASE, words, 0);
  }

  /** Texts that contain these characters. */
  public static TextSearch containing(String characters) {
    return new TextSearch(Match.SUBSTRING, characters, 0);
  }

  /** Texts that have at least this Jaccard similarity, above 0 and at most 1. */
  public static TextSearch similarTo(String text, double jaccard) {
    return new TextSearch(Match.SIMILAR, text, jaccard);
  }

  /** Texts that this one can be made of by changing, adding or removing so many characters. */
  public static TextSearch withinEdits(String text, int edits) {
    return new TextSearch(Match.EDITS, text, edits);
  }
}
