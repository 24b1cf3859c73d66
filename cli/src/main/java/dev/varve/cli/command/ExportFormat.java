package dev.varve.cli.command;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import dev.varve.common.error.StorageException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How records are written. Stateless. */
enum ExportFormat {
  /** An object a line. */
  NDJSON,
  /** One array of objects. */
  JSON,
  /**
   * Values under a header (RFC 4180): the top-level fields of all records. Text is in quotes, and
   * objects and arrays are JSON in quotes; a field that is missing or null is empty.
   */
  CSV;

  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  /** Something that can be gone over more than once. */
  @FunctionalInterface
  interface Records {
    /**
     * Hands every record over.
     *
     * @return how many there were
     */
    long forEach(Consumer<StoredEntry> taker) throws StorageException;
  }

  /**
   * Writes all records.
   *
   * @return how many
   */
  long write(Records records, PrintWriter out) throws StorageException {
    return switch (this) {
      case NDJSON -> records.forEach(record -> out.append(record.json()).append('\n'));
      case JSON -> writeArray(records, out);
      case CSV -> writeRows(records, out);
    };
  }

  private static long writeArray(Records records, PrintWriter out) throws StorageException {
    String[] before = {"[\n"};
    long count =
        records.forEach(
            record -> {
              out.append(before[0]).append(record.json());
              before[0] = ",\n";
            });
    out.append(count == 0 ? "[]\n" : "\n]\n");
    return count;
  }

  /** Twice over the records: the header has to be known before the first row. */
  private static long writeRows(Records records, PrintWriter out) throws StorageException {
    Set<String> columns = new LinkedHashSet<>();
    long count =
        records.forEach(record -> parse(record).fieldNames().forEachRemaining(columns::add));
    if (count == 0) {
      return 0;
    }
    out.append(columns.stream().map(ExportFormat::quoted).collect(Collectors.joining(",")));
    out.append("\r\n");
    return records.forEach(
        record -> {
          JsonNode json = parse(record);
          out.append(
              columns.stream().map(name -> value(json.get(name))).collect(Collectors.joining(",")));
          out.append("\r\n");
        });
  }

  private static JsonNode parse(StoredEntry record) {
    try {
      return MAPPER.readTree(record.json());
    } catch (IOException impossible) {
      // What is stored was read when it was written.
      throw new UncheckedIOException(impossible);
    }
  }

  private static String value(@Nullable JsonNode value) {
    if (value == null || value.isNull()) {
      return "";
    }
    if (value.isTextual()) {
      return quoted(value.textValue());
    }
    return value.isContainerNode() ? quoted(value.toString()) : value.asText();
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"") + '"';
  }
}
