package dev.varve.invertedindex.token;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * The table agrees with the Java runtime in all that is in the table: later versions of Unicode add
 * characters, and change none.
 */
class CharacterTableTest {
  private static final CharacterTable TABLE = CharacterTable.INSTANCE;

  @Test
  void wordCharactersAreLettersDigitsAndLetterNumbers() {
    int words = 0;
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      boolean word =
          Character.isLetterOrDigit(c) || Character.getType(c) == Character.LETTER_NUMBER;
      assertTrue(word || !TABLE.isWord(c), Integer.toHexString(c));
      words += TABLE.isWord(c) ? 1 : 0;
    }
    // Unicode 13.0 has 131,241 letters, 650 decimal digits and 236 letter numbers.
    assertEquals(131_241 + 650 + 236, words);
  }

  @Test
  void marksAreNoWordCharacters() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      int type = Character.getType(c);
      boolean mark = type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK;
      assertTrue(mark || !TABLE.isMark(c), Integer.toHexString(c));
      assertTrue(!TABLE.isMark(c) || !TABLE.isWord(c), Integer.toHexString(c));
    }
  }

  @Test
  void foldingIsThatOfTheRuntimeAndDoneInOneStep() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      int folded = TABLE.fold(c);
      if (folded != c) {
        assertEquals(Character.toLowerCase(Character.toUpperCase(c)), folded);
      }
      assertEquals(folded, TABLE.fold(folded), Integer.toHexString(c));
    }
  }
}
