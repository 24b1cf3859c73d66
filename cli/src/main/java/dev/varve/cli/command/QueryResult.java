package dev.varve.cli.command;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.varve.report.Console;
import dev.varve.report.Figures;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What a query found: printed as lines of records, or as JSON with these names.
 *
 * @param command {@code query}
 * @param index the index that answered: {@code primary}, or the secondary's name
 * @param count how many records match; those that were printed when there is a limit
 * @param seconds from the start of the query to its last record, without starting the cluster
 * @param records the records that were printed; none with {@code --count}
 */
record QueryResult(String command, String index, long count, double seconds, List<Found> records) {
  /**
   * A record.
   *
   * @param record its JSON, as it was written
   */
  record Found(@JsonValue @JsonRawValue String record) {
    /** Bytes of a record. */
    static Found of(byte[] record) {
      return new Found(new String(record, StandardCharsets.UTF_8));
    }
  }

  void print(Console console) {
    for (Found found : records) {
      console.printLine(found.record);
    }
    console.err().println(Figures.count(count) + " found, " + Figures.seconds(seconds));
  }

  /** Prints the number alone, so that a script can read it. */
  void printCount(Console console) {
    console.printLine(Long.toString(count));
    console.err().println(Figures.seconds(seconds));
  }
}
