package dev.varve.cli.command;

import dev.varve.dataset.RejectedRecord;
import dev.varve.dataset.RepairReport;
import dev.varve.report.Console;
import dev.varve.report.Figures;
import dev.varve.report.Table;

/**
 * What a repair did: printed as a table and what it rejected and left, or as JSON with these names.
 *
 * @param command {@code repair}
 * @param directory where
 * @param dryRun whether it only says what it would do
 * @param clean whether every record is where it belongs now
 * @param seconds how long it took
 * @param rejects the directory where rejected records are
 * @param report what was found and done
 */
record RepairResult(
    String command,
    String directory,
    boolean dryRun,
    boolean clean,
    double seconds,
    String rejects,
    RepairReport report) {
  void print(Console console) {
    String state;
    if (report.misplaced() == 0 && clean) {
      state = "Nothing to repair";
    } else if (dryRun) {
      state = "NOT CLEAN, nothing was changed";
    } else {
      state = clean ? "Repaired" : "NOT CLEAN, something is left";
    }
    console.printLine(state + ", " + Figures.seconds(seconds));
    Table table = new Table("datasets", "misplaced", "moved", "same", "rejected", "left");
    table.row(
        Figures.count(report.datasets()),
        Figures.count(report.misplaced()),
        Figures.count(report.moved()),
        Figures.count(report.same()),
        Figures.count(report.rejected()),
        Figures.count(report.left()));
    table.print(console);
    for (RejectedRecord both : report.rejections()) {
      console.printLine(
          "rejected from %s, kept at %s: record %s of '%s'"
              .formatted(both.foundAt(), both.keptAt(), both.key(), both.dataset()));
      console.printLine("  kept      " + both.kept());
      console.printLine("  rejected  " + both.rejected());
    }
    if (report.rejected() > 0 && !dryRun) {
      console.printLine("All rejected records are in " + rejects);
    }
  }

  /** Names what is left, for people, whatever the form of the result. */
  void printProblems(Console console) {
    report.problems().forEach(console.err()::println);
  }
}
