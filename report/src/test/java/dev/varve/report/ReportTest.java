package dev.varve.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: tables line up, figures have units, progress as lines ends with a newline. */
final class ReportTest {
  private final StringWriter text = new StringWriter();
  private final PrintWriter out = new PrintWriter(text);

  @Test
  void columnsAreAsWideAsTheirCells() {
    new Table("index", "bytes").row("primary", "1,234").row("by", "7").print(out);
    assertEquals(
        """
          index    bytes
          primary  1,234
          by           7
        """,
        text.toString().replace(System.lineSeparator(), "\n"));
  }

  @Test
  void factsHaveNoHeading() {
    Table.ofFacts().row("time", "3 s").row("tweets", "10").print(out);
    assertEquals(
        """
          time    3 s
          tweets  10
        """,
        text.toString().replace(System.lineSeparator(), "\n"));
  }

  @Test
  void textsAreCutWhereTheConsoleIsNarrow() {
    new Table("index", "bytes")
        .row("a very long name", "1,234")
        .row("by", "7")
        .print(new Console(out, out, 20));
    assertEquals(
        """
          index        bytes
          a very lo~   1,234
          by               7
        """
            .replace("lo~ ", "lon\u2026"),
        text.toString().replace(System.lineSeparator(), "\n"));
    assertTrue(text.toString().lines().allMatch(line -> line.length() <= 20), text::toString);
  }

  @Test
  void rowsBecomeLinesWhereTheConsoleIsTooNarrowForNumbers() {
    new Table("index", "bytes", "entries")
        .row("primary", "1,234", "5")
        .row("by", "7", "5")
        .print(new Console(out, out, 20));
    assertEquals(
        """
          index    primary
          bytes    1,234
          entries  5

          index    by
          bytes    7
          entries  5
        """,
        text.toString().replace(System.lineSeparator(), "\n"));
  }

  @Test
  void figuresHaveUnits() {
    assertEquals("1,234,567", Figures.count(1_234_567));
    assertEquals("0 B", Figures.bytes(0));
    assertEquals("1023 B", Figures.bytes(1023));
    assertEquals("1.0 KiB", Figures.bytes(1024));
    assertEquals("1.5 GiB", Figures.bytes(3L << 29));
    assertEquals("12.35 s", Figures.seconds(12.3456));
    assertEquals("1,234.6", Figures.decimal(1234.56));
  }

  @Test
  void progressInLinesSaysHowFarItIs() {
    try (Progress progress =
        new Progress(display(Progress.Style.LINES, 80), out, "ingest", 1_000)) {
      progress.update(10, "5 records/s", 3_000_000_000L);
      progress.update(11, "too soon", 3_100_000_000L);
      progress.update(20, "6 records/s", 6_000_000_000L);
    }
    assertEquals(
        """
        10 of 1,000, 5 records/s
        20 of 1,000, 6 records/s
        """,
        text.toString().replace(System.lineSeparator(), "\n"));
  }

  @Test
  void progressAsBarStaysOnItsLine() {
    try (Progress progress = new Progress(display(Progress.Style.BAR, 80), out, "ingest", 1_000)) {
      progress.update(1_000, "done", 3_000_000_000L);
    }
    assertTrue(text.toString().startsWith("\r"), text::toString);
    assertTrue(text.toString().contains("100%"), text::toString);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 40, 80, 132, 5_000})
  void barFitsTheTerminal(int columns) {
    String note = "99,393 tweets/s, 12.5 MiB/s, waits for the merge of components 1 to 12";
    try (Progress progress = new Progress(display(Progress.Style.BAR, columns), out, "ingest", 9)) {
      progress.update(3, note, 3_000_000_000L);
    }
    String[] drawn = text.toString().stripTrailing().split("\r");
    assertTrue(drawn.length > 1, text::toString);
    for (String line : drawn) {
      assertTrue(line.length() < Math.max(20, columns) && line.length() <= 110, line);
    }
  }

  private static Progress.Display display(Progress.Style style, int columns) {
    return new Progress.Display(style, columns);
  }

  @Test
  void jsonIsOneDocument() {
    record Value(int number, String text) {}
    new Console(out, out).printJson(new Value(3, "three"));
    assertEquals("{\"number\":3,\"text\":\"three\"}", text.toString().replaceAll("\\s", ""));
  }
}
