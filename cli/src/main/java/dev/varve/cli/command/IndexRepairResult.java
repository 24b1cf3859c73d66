package dev.varve.cli.command;

import dev.varve.report.Console;
import dev.varve.report.Figures;
import java.util.List;

/**
 * What a repair of indexes has left: printed as a line and a table, or as JSON with these names.
 *
 * @param command {@code compact}
 * @param directory where
 * @param seconds how long it took
 * @param obsolete entries on disk that are known to be obsolete, and that searches leave out
 * @param indexes what each index holds
 */
record IndexRepairResult(
    String command, String directory, double seconds, long obsolete, List<IndexSize> indexes) {
  /** From what the indexes hold afterwards. */
  static IndexRepairResult of(String directory, double seconds, List<IndexSize> after) {
    long obsolete = after.stream().mapToLong(IndexSize::obsolete).sum();
    assert obsolete <= IndexSize.sum(after).entries() : obsolete;
    return new IndexRepairResult("compact", directory, seconds, obsolete, after);
  }

  void print(Console console) {
    console.printLine(
        "Searches leave out "
            + Figures.count(obsolete)
            + " obsolete entries, found in "
            + Figures.seconds(seconds));
    IndexSize.table(indexes).print(console);
  }
}
