package dev.varve.cli.command;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.varve.common.bytes.Slice;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import picocli.CommandLine.TypeConversionException;

/**
 * What a dataset or key-value store holds, as it is printed. Keys and values that are no plain text
 * are in hexadecimal behind {@code 0x}, and so is text that begins like that.
 *
 * @param json as a JSON value: the record itself, or {@code {"key": …, "value": …}}
 * @param line as a line for people: the record, or key and value with a tab between
 */
record StoredEntry(@JsonValue @JsonRawValue String json, String line) {
  private static final String HEX = "0x";

  /** A record of a dataset, which is JSON. */
  static StoredEntry ofRecord(byte[] record) {
    String json = new String(record, StandardCharsets.UTF_8);
    return new StoredEntry(json, json);
  }

  /** A pair of a key-value store. */
  static StoredEntry ofPair(Slice key, Slice value) {
    String keyText = text(key.toByteArray());
    String valueText = text(value.toByteArray());
    return new StoredEntry(
        "{\"key\":" + quoted(keyText) + ",\"value\":" + quoted(valueText) + "}",
        keyText + "\t" + valueText);
  }

  /** The bytes that an argument stands for. */
  static byte[] bytes(String text) {
    if (!text.startsWith(HEX)) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    try {
      return HexFormat.of().parseHex(text.substring(HEX.length()));
    } catch (IllegalArgumentException notHex) {
      throw new TypeConversionException(
          "'" + text + "' is no hexadecimal: write an even number of digits behind 0x");
    }
  }

  /** Bytes as text, or in hexadecimal where they are no plain text. */
  static String text(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    // What is no valid text comes back as other bytes; what breaks a line is no plain text either.
    if (Arrays.equals(bytes, text.getBytes(StandardCharsets.UTF_8))
        && !text.startsWith(HEX)
        && text.chars().noneMatch(Character::isISOControl)) {
      return text;
    }
    return HEX + HexFormat.of().formatHex(bytes);
  }

  private static String quoted(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
