package dev.varve.cli.command;

import dev.varve.dataset.BackupReport;
import dev.varve.report.Console;
import dev.varve.report.Figures;
import dev.varve.report.Table;
import java.util.List;

/**
 * What a checkpoint, backup or restore made: printed as a table, or as JSON with these names.
 *
 * @param command which of them
 * @param from what was copied
 * @param to what was made
 * @param copied files of indexes
 * @param seconds time on the clock, with the verification of a restore
 * @param problems what a restore has found in the copy; empty when it is clean
 */
record CopyResult(
    String command,
    String from,
    String to,
    BackupReport copied,
    double seconds,
    List<String> problems) {
  /** Tells what was made, for people or for programs. */
  void report(CommonOptions common, Console console) {
    if (common.json) {
      console.printJson(this);
    } else {
      print(console);
    }
  }

  private void print(Console console) {
    Table.ofFacts()
        .row("from", from)
        .row("to", to)
        .row(
            "components",
            Figures.count(copied.components()) + ", " + Figures.bytes(copied.componentBytes()))
        .row(
            "copied",
            Figures.bytes(copied.copiedBytes())
                + ", "
                + Figures.count(copied.reused())
                + " components are those of the backup before")
        .row("time", Figures.seconds(seconds))
        .print(console);
    problems.forEach(console.err()::println);
  }
}
