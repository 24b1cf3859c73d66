package dev.varve.cli.command;

import dev.varve.report.Console;
import dev.varve.report.Figures;

/**
 * What became of an index: printed as a line, or as JSON with these names.
 *
 * @param command {@code add-index} or {@code drop-index}
 * @param directory where
 * @param dataset which dataset
 * @param index name of the index
 * @param entries how many records have an entry in it; 0 for one that was dropped
 * @param seconds how long it took
 */
record IndexChangeResult(
    String command, String directory, String dataset, String index, long entries, double seconds) {
  void report(CommonOptions common, Console console) {
    if (common.json) {
      console.printJson(this);
    } else if (command.equals(DropIndexCommand.NAME)) {
      console.printLine("index '" + index + "' of '" + dataset + "' is dropped");
    } else {
      console.printLine(
          "index '"
              + index
              + "' of '"
              + dataset
              + "' has "
              + Figures.count(entries)
              + " entries, in "
              + Figures.seconds(seconds));
    }
  }
}
