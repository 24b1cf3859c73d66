package dev.varve.cli.command;

import dev.varve.report.Console;
import dev.varve.report.Figures;
import dev.varve.report.Table;
import dev.varve.report.command.FailureReport;
import java.util.List;

/**
 * What a feed of somebody's data did: printed as a table, or as JSON with these names.
 *
 * @param command {@code ingest}
 * @param dataset where the records went
 * @param acknowledged how many are in the dataset, durably
 * @param refused how many were not taken, by reason
 * @param stopped {@code SIGNAL} or {@code REFUSALS} if that ended the feed, else empty
 * @param seconds time on the clock
 */
record InputSummary(
    String command,
    String dataset,
    long acknowledged,
    List<Refused> refused,
    String stopped,
    double seconds) {
  /**
   * Records that were not taken for one reason.
   *
   * @param reason why
   * @param count how many
   * @param samples what was said of the first of them
   */
  record Refused(String reason, long count, List<String> samples) {}

  /** The exit code of the command, unless a signal asked for another. */
  int exitCode(int ofSignal) {
    return ofSignal == 0 && stopped.equals("REFUSALS") ? FailureReport.FAILED : ofSignal;
  }

  void print(Console console) {
    Table table =
        Table.ofFacts()
            .row("dataset", dataset)
            .row("records", Figures.count(acknowledged) + " acknowledged")
            .row("time", Figures.seconds(seconds));
    for (Refused each : refused) {
      table.row("refused", Figures.count(each.count) + " " + each.reason);
    }
    if (!stopped.isEmpty()) {
      table.row("stopped by", stopped);
    }
    table.print(console);
    for (Refused each : refused) {
      for (String sample : each.samples) {
        console.err().println(each.reason + ": " + sample);
      }
    }
  }
}
