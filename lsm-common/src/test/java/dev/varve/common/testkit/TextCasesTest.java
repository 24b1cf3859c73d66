package dev.varve.common.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Goal: cases compare exactly and rewrite faithfully. Method: small texts. */
final class TextCasesTest {
  private static final String TEXT =
      """
      # About these cases.

      # About the first.
      first
      a
      b
      ----
      ab

      second
      ----
      """;

  @Test
  void answersReplaceWhatStandsBelowTheSeparator() throws Exception {
    String answered =
        TextCases.answered(
            TEXT, (name, input) -> input.isEmpty() ? "nothing\n\nat all" : String.join("", input));
    assertEquals(TEXT + "nothing\n.\nat all\n", answered);
    assertEquals(
        answered,
        TextCases.answered(
            answered,
            (name, input) -> input.isEmpty() ? "nothing\n\nat all\n" : String.join("", input)));
  }

  @Test
  void aWrongAnswerNamesItsLine() {
    String difference = TextCases.difference("a\nb\nright\n", "a\nb\nwrong\n");
    assertTrue(difference.contains("line 3: expected 'right', got 'wrong'"), difference);
    assertTrue(
        TextCases.difference("a\nb\n", "a\n").contains("line 2: expected 'b', got 'the end'"));
  }

  @Test
  void brokenBlocksAreRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> TextCases.answered("a\nb\n", (name, input) -> ""));
    assertThrows(
        IllegalArgumentException.class,
        () -> TextCases.answered("a\n----\n\na\n----\n", (name, input) -> ""));
    assertThrows(
        IllegalArgumentException.class,
        () -> TextCases.run(TextCasesTest.class, "absent.txt", (name, input) -> ""));
  }
}
