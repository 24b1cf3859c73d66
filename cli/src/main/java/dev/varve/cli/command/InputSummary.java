package dev.varve.cli.command;

import dev.varve.hyracks.feed.Overflow;
import dev.varve.hyracks.feed.RefusalReport;
import dev.varve.report.Console;
import dev.varve.report.Figures;
import dev.varve.report.Table;
import java.util.List;

/**
 * What a feed of somebody's data did: printed as a table, or as JSON with these names.
 *
 * @param command {@code ingest}
 * @param dataset where the records went
 * @param acknowledged how many are in the dataset, durably
 * @param refused how many were not taken, by reason
 * @param overflow how many came while there was no room: what {@code --on-full} says was done
 * @param stopped {@code SIGNAL} or {@code REFUSALS} if that ended the feed, else empty
 * @param seconds time on the clock
 */
record InputSummary(
    String command,
    String dataset,
    long acknowledged,
    List<RefusalReport> refused,
    Overflow overflow,
    String stopped,
    double seconds) {
  void print(Console console) {
    Table table =
        Table.ofFacts()
            .row("dataset", dataset)
            .row("records", Figures.count(acknowledged) + " acknowledged")
            .row("time", Figures.seconds(seconds));
    for (RefusalReport each : refused) {
      table.row("refused", Figures.count(each.count()) + " " + each.reason());
    }
    if (!overflow.equals(Overflow.NONE)) {
      table
          .row("spilled", Figures.count(overflow.spilled()))
          .row("discarded", Figures.count(overflow.discarded()));
    }
    if (!stopped.isEmpty()) {
      table.row("stopped by", stopped);
    }
    table.print(console);
    for (RefusalReport each : refused) {
      for (String sample : each.samples()) {
        console.err().println(each.reason() + ": " + sample);
      }
    }
  }
}
