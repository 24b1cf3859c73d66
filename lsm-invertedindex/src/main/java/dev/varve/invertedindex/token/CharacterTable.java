package dev.varve.invertedindex.token;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Which characters make up words, and which differ in case only: those of Unicode 13.0, kept in a
 * file of this module and not asked of the Java runtime. Otherwise an index written by one release
 * of Java would not be found in by the next, which knows more letters. Immutable and thread-safe.
 *
 * <ul>
 *   <li>Word characters are letters (L), decimal digits (Nd) and letter numbers (Nl).
 *   <li>Marks (Mn, Mc, but for variation selectors) go on with a word and begin none.
 *   <li>A character folds to the lower case of its upper case, by the mappings of one character to
 *       one.
 * </ul>
 */
final class CharacterTable {
  /** The table for all. */
  static final CharacterTable INSTANCE = new CharacterTable();

  private static final String RESOURCE = "unicode-13.txt";
  private static final int ASCII = 0x80;

  private final BitSet words = new BitSet();
  private final BitSet marks = new BitSet();

  /** Characters that fold to others, ascending, and what they fold to. */
  private int[] folding = new int[0];

  private int[] folded = new int[0];

  private CharacterTable() {
    for (int c = 0; c < ASCII; c++) {
      words.set(c, (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'));
    }
    addFolds('A', 'Z', 1, 'a' - 'A');
    try (InputStream in = CharacterTable.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is missing");
      }
      new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().forEach(this::addLine);
    } catch (IOException e) {
      throw new UncheckedIOException(RESOURCE, e);
    }
  }

  private void addLine(String line) {
    String[] fields = line.split(" ", -1);
    if (fields[0].equals("#")) {
      return;
    }
    int first = Integer.parseInt(fields[1], 16);
    int last = Integer.parseInt(fields[2], 16);
    switch (fields[0]) {
      case "w" -> words.set(first, last + 1);
      case "m" -> marks.set(first, last + 1);
      case "f" -> addFolds(first, last, Integer.parseInt(fields[3]), Integer.parseInt(fields[4]));
      default -> throw new IllegalStateException(RESOURCE + ": " + line);
    }
  }

  private void addFolds(int first, int last, int step, int delta) {
    int from = folding.length;
    int count = (last - first) / step + 1;
    folding = Arrays.copyOf(folding, from + count);
    folded = Arrays.copyOf(folded, from + count);
    for (int i = 0; i < count; i++) {
      folding[from + i] = first + i * step;
      folded[from + i] = first + i * step + delta;
    }
  }

  /** Whether a character makes up words. */
  boolean isWord(int codePoint) {
    return words.get(codePoint);
  }

  /** Whether a character goes on with a word that has begun. */
  boolean isMark(int codePoint) {
    return marks.get(codePoint);
  }

  /** The character that stands for all that differ from this one in case only. */
  int fold(int codePoint) {
    int at = Arrays.binarySearch(folding, codePoint);
    return at < 0 ? codePoint : folded[at];
  }
}
