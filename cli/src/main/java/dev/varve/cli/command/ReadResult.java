package dev.varve.cli.command;

import dev.varve.report.Console;
import dev.varve.report.Figures;
import java.util.List;

/**
 * What was read of a store at rest: printed as lines, or as JSON with these names.
 *
 * @param command {@code get} or {@code find}
 * @param dataset the dataset or key-value store
 * @param index the index that answered: {@code primary}, or the secondary's name
 * @param count how many match; those that were printed when there is a limit
 * @param seconds from the question to the last record, without opening the store
 * @param records what was printed; nothing with {@code --count}
 */
record ReadResult(
    String command,
    String dataset,
    String index,
    long count,
    double seconds,
    List<StoredEntry> records) {
  void print(Console console) {
    records.forEach(record -> console.printLine(record.line()));
    console.err().println(Figures.count(count) + " found, " + Figures.seconds(seconds));
  }

  /** Prints the number alone, so that a script can read it. */
  void printCount(Console console) {
    console.printLine(Long.toString(count));
    console.err().println(Figures.seconds(seconds));
  }
}
