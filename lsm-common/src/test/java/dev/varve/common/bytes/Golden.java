package dev.varve.common.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * Bytes of released formats, kept as hexadecimal text in {@code src/test/resources/format} and
 * shown on the format pages in {@code docs/format}. A test that makes other bytes than these breaks
 * a format. Run with {@code -Drewrite} to write what the tests make in place of what is there.
 */
public final class Golden {
  private static final Path RESOURCES = Path.of("src/test/resources/format");
  private static final Path DOCUMENTS = Path.of("../docs/format");
  private static final int BYTES_PER_LINE = 16;

  private Golden() {}

  /** Requires that a kept text is this one, and that a format page shows it line by line. */
  public static void requireSame(String resource, String document, String text) {
    try {
      Path kept = RESOURCES.resolve(resource);
      if (System.getProperty("rewrite") != null) {
        Files.createDirectories(kept.getParent());
        Files.writeString(kept, text);
      }
      assertEquals(Files.readString(kept, StandardCharsets.UTF_8), text);
      String page = Files.readString(DOCUMENTS.resolve(document), StandardCharsets.UTF_8);
      assertTrue(page.contains(text), () -> document + " does not show:\n" + text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The bytes of a kept dump. */
  public static byte[] bytes(String resource) {
    StringBuilder digits = new StringBuilder();
    try {
      for (String line : Files.readAllLines(RESOURCES.resolve(resource), StandardCharsets.UTF_8)) {
        digits.append(line.substring(line.indexOf(' ') + 1).replace(" ", ""));
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return HexFormat.of().parseHex(digits);
  }

  /** A dump of bytes, sixteen a line behind their offset. */
  public static String dump(byte[] bytes) {
    StringBuilder dump = new StringBuilder();
    HexFormat spaced = HexFormat.ofDelimiter(" ");
    for (int at = 0; at < bytes.length; at += BYTES_PER_LINE) {
      int end = Math.min(bytes.length, at + BYTES_PER_LINE);
      dump.append(String.format("%04x ", at)).append(spaced.formatHex(bytes, at, end)).append('\n');
    }
    return dump.toString();
  }
}
