package dev.varve.dataset;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.varve.common.env.FileSystem;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The file in which an engine shows to other processes who waits for what; see
 * docs/format/stalls.md. It is replaced as a whole and never forced: it says nothing that a crash
 * should leave. Stateless.
 */
final class WaitReportFile {
  static final String NAME = "stalls.json";

  private WaitReportFile() {}

  /** The file in an engine's directory. */
  static ShownFile in(FileSystem files, Path directory) {
    return new ShownFile(files, directory.resolve(NAME));
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
        field("snapshots", list(report.snapshots(), WaitReportFile::quoted)),
        field("values", list(report.values(), WaitReportFile::quoted)),
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
