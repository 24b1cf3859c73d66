package dev.varve.common.bytes;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Small documents that people and programs read: a JSON object in UTF-8 whose last field, {@code
 * crc32c}, has eight hexadecimal digits, the CRC32C of all bytes before that field's name, and a
 * line feed. Documents of earlier versions have the digits behind the object, in a line that is not
 * JSON; they are read, too. See docs/format/node-documents.md. Stateless.
 */
public final class ChecksummedJson {
  private static final String FIELD = "\"crc32c\":\"";
  private static final String END = "\"}\n";
  private static final int DIGITS = 8;
  private static final int FIELD_BYTES = FIELD.length() + DIGITS + END.length();
  private static final String EARLIER = "\n#crc32c ";
  private static final int EARLIER_BYTES = EARLIER.length() + DIGITS + 1;

  private ChecksummedJson() {}

  /**
   * The bytes of a document.
   *
   * @param object a JSON object in one line, which has no field {@code crc32c}
   */
  public static byte[] seal(String object) {
    if (!object.startsWith("{") || !object.endsWith("}")) {
      throw new IllegalArgumentException("no JSON object: " + object);
    }
    String open = object.substring(0, object.length() - 1);
    byte[] fields = (open.length() == 1 ? open : open + ",").getBytes(StandardCharsets.UTF_8);
    byte[] last = (FIELD + digits(fields, fields.length) + END).getBytes(StandardCharsets.US_ASCII);
    byte[] document = new byte[fields.length + last.length];
    System.arraycopy(fields, 0, document, 0, fields.length);
    System.arraycopy(last, 0, document, fields.length, last.length);
    return document;
  }

  /** The object of a document, without its checksum; empty when the checksum is wrong or absent. */
  public static Optional<String> open(byte[] document) {
    int fields = document.length - FIELD_BYTES;
    if (fields > 0 && endsWith(document, fields, FIELD + digits(document, fields) + END)) {
      int comma = document[fields - 1] == ',' ? 1 : 0;
      return Optional.of(text(document, 0, fields - comma) + "}");
    }
    int object = document.length - EARLIER_BYTES;
    return object > 0 && endsWith(document, object, EARLIER + digits(document, object) + "\n")
        ? Optional.of(text(document, 0, object))
        : Optional.empty();
  }

  private static boolean endsWith(byte[] document, int from, String end) {
    return text(document, from, document.length - from).equals(end);
  }

  private static String text(byte[] document, int from, int length) {
    return new String(document, from, length, StandardCharsets.UTF_8);
  }

  private static String digits(byte[] bytes, int length) {
    return HexFormat.of().toHexDigits(Crc32c.of(bytes, 0, length));
  }
}
