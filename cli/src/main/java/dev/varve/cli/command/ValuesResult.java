package dev.varve.cli.command;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.varve.common.bytes.KeyDecoder;
import dev.varve.dataset.model.Key;
import dev.varve.hyracks.operator.Aggregate;
import dev.varve.report.Console;
import dev.varve.report.Figures;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What values a field has in what was searched for: printed as lines, or as JSON with these names.
 *
 * @param command {@code query} or {@code find}
 * @param index the index that answered: {@code primary}, or the secondary's name
 * @param values which of the values: {@code least}, {@code greatest} or {@code each}
 * @param seconds from the question to the last value
 * @param found the values in their order, those without one first; none when nothing has one
 */
record ValuesResult(
    String command, String index, String values, double seconds, List<Found> found) {
  /** Copies the list. */
  ValuesResult {
    found = List.copyOf(found);
  }

  /** What an aggregate has found. */
  static ValuesResult of(String command, String index, Aggregate.Kind kind, List<Found> found) {
    return new ValuesResult(command, index, kind.name().toLowerCase(Locale.ROOT), 0, found);
  }

  /** The same, with its duration. */
  ValuesResult in(double duration) {
    return new ValuesResult(command, index, values, duration, found);
  }

  /** A value as JSON; {@code null} for none. */
  record Value(@JsonValue @JsonRawValue String json) {}

  /**
   * A value.
   *
   * @param records how many records have it
   */
  record Found(Value value, long records) {
    /** An encoded value of one field, or none. */
    static Found of(Optional<Key> value, long records) {
      return new Found(new Value(value.map(Found::json).orElse("null")), records);
    }

    private static String json(Key value) {
      KeyDecoder decoder = new KeyDecoder().reset(value.toSlice());
      return switch (decoder.type()) {
        case NULL -> "null";
        case BOOLEAN -> Boolean.toString(decoder.readBoolean());
        case NUMBER ->
            decoder.isLong()
                ? Long.toString(decoder.readLong())
                : Double.toString(decoder.readDouble());
        case STRING -> quoted(decoder.readString());
        case BYTES -> quoted(HexFormat.of().formatHex(decoder.readBytes().toByteArray()));
      };
    }

    private static String quoted(String text) {
      return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }
  }

  /** Prints a line for each value: with the number of its records, where all are asked for. */
  void print(Console console) {
    boolean all = values.equals("each");
    for (Found each : found) {
      console.printLine(each.value.json + (all ? "\t" + each.records : ""));
    }
    long records = found.stream().mapToLong(Found::records).sum();
    console
        .err()
        .println(
            "%s values in %s records, %s"
                .formatted(
                    Figures.count(found.size()), Figures.count(records), Figures.seconds(seconds)));
  }
}
