package dev.varve.dataset;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.varve.common.bytes.Crc32c;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The file in which an engine shows to other processes who waits for what; see
 * docs/format/stalls.md. It is replaced as a whole and never forced: it says nothing that a crash
 * should leave. Stateless.
 */
final class WaitReportFile {
  static final String NAME = "stalls.json";
  private static final String BUILDING = "stalls.json.next";
  private static final String TRAILER = "\n#crc32c ";
  private static final int MAX_BYTES = 16 << 20;

  private WaitReportFile() {}

  /** Replaces the file in an engine's directory. */
  static void write(FileSystem files, Path directory, WaitReport report) throws StorageException {
    byte[] json = json(report).getBytes(StandardCharsets.UTF_8);
    String sum = String.format(Locale.ROOT, "%08x", Crc32c.of(json, 0, json.length));
    byte[] trailer = (TRAILER + sum + "\n").getBytes(StandardCharsets.US_ASCII);
    Path building = directory.resolve(BUILDING);
    if (files.exists(building)) {
      files.delete(building);
    }
    try (StorageFile file = files.open(building, OpenMode.CREATE_NEW)) {
      file.write(0, json, 0, json.length);
      file.write(json.length, trailer, 0, trailer.length);
    }
    files.rename(building, directory.resolve(NAME));
  }

  /** Deletes the file, and what a crash may have left of the next one. */
  static void delete(FileSystem files, Path directory) throws StorageException {
    for (String name : List.of(NAME, BUILDING)) {
      if (files.exists(directory.resolve(name))) {
        files.delete(directory.resolve(name));
      }
    }
  }

  /** The JSON text of the file, checked; empty when there is none. */
  static Optional<String> read(FileSystem files, Path directory) throws StorageException {
    Path path = directory.resolve(NAME);
    if (!files.exists(path)) {
      return Optional.empty();
    }
    byte[] bytes;
    try (StorageFile file = files.open(path, OpenMode.READ_ONLY)) {
      long size = file.size();
      if (size > MAX_BYTES) {
        throw new CorruptionException(path.toString(), -1, size + " bytes are too many");
      }
      bytes = new byte[(int) size];
      file.read(0, bytes, 0, bytes.length);
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    int end = text.lastIndexOf(TRAILER);
    byte[] json = text.substring(0, Math.max(0, end)).getBytes(StandardCharsets.UTF_8);
    String sum = String.format(Locale.ROOT, "%08x", Crc32c.of(json, 0, json.length));
    if (end < 0 || !text.substring(end).equals(TRAILER + sum + "\n")) {
      throw new CorruptionException(path.toString(), -1, "wrong checksum");
    }
    return Optional.of(text.substring(0, end));
  }

  static String json(WaitReport report) {
    return object(
        text("source", report.source()),
        number("atMillis", report.atMillis()),
        text("scheduler", report.scheduler()),
        text("gate", report.gate()),
        number("ioBytesPerSecond", report.ioBytesPerSecond()),
        field("waits", list(report.waits(), WaitReportFile::json)),
        field("tasks", list(report.tasks(), WaitReportFile::json)),
        field("indexes", list(report.indexes(), WaitReportFile::json)),
        field("transactions", list(report.transactions(), WaitReportFile::json)),
        field("tuner", list(report.tuner(), WaitReportFile::quoted)),
        field("broken", list(report.broken(), WaitReportFile::quoted)));
  }

  private static String json(WaitReport.Wait wait) {
    return object(
        text("dataset", wait.dataset()),
        text("cause", wait.cause()),
        text("holder", wait.holder()),
        text("index", wait.index()),
        number("writers", wait.writers()),
        field("seconds", String.format(Locale.ROOT, "%.3f", wait.seconds())),
        field("tasks", list(wait.tasks(), number -> Long.toString(number))),
        field("occupied", list(wait.occupied(), WaitReportFile::quoted)));
  }

  private static String json(WaitReport.Task task) {
    return object(
        number("number", task.number()),
        text("kind", task.kind()),
        text("state", task.state()),
        text("index", task.index()),
        text("description", task.description()),
        number("inputBytes", task.inputBytes()),
        number("remainingBytes", task.remainingBytes()),
        number("bytesPerSecond", task.bytesPerSecond()));
  }

  private static String json(WaitReport.Components index) {
    return object(
        text("dataset", index.dataset()),
        text("index", index.index()),
        number("components", index.components()),
        number("limit", index.limit()));
  }

  private static String json(WaitReport.OpenTransaction open) {
    return object(
        number("id", open.id()),
        text("dataset", open.dataset()),
        field("seconds", String.format(Locale.ROOT, "%.3f", open.seconds())),
        number("logBytes", open.logBytes()));
  }

  private static String object(String... fields) {
    return "{" + String.join(",", fields) + "}";
  }

  private static <T> String list(List<T> values, Function<T, String> element) {
    return values.stream().map(element).collect(Collectors.joining(",", "[", "]"));
  }

  private static String text(String name, String value) {
    return field(name, quoted(value));
  }

  private static String number(String name, long value) {
    return field(name, Long.toString(value));
  }

  private static String field(String name, String json) {
    return quoted(name) + ":" + json;
  }

  private static String quoted(String value) {
    return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(value)) + "\"";
  }
}
