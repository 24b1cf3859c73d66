package dev.varve.cli.command;

import dev.varve.report.Console;
import dev.varve.report.Figures;
import dev.varve.report.Table;
import dev.varve.simulator.SimulationResult;
import dev.varve.simulator.reproduction.Reproduction;
import dev.varve.simulator.reproduction.Verdict;
import java.util.List;
import java.util.Locale;

/**
 * Figures of the paper that were reproduced: printed one after the other, or as JSON with these
 * names.
 *
 * @param command {@code simulate}
 * @param figures in the order in which they were asked for
 */
record ReproduceReport(String command, List<Reproduction> figures) {
  static void print(Reproduction reproduction, Console console) {
    console.printLine(reproduction.figure() + ": " + reproduction.title());
    Table runs =
        new Table("run", "records/s", "stalled", "longest", "p99 write", "components", "most");
    for (Reproduction.NamedResult run : reproduction.runs()) {
      SimulationResult result = run.result();
      runs.row(
          run.name(),
          Figures.count(Math.round(result.recordsPerSecond())),
          Figures.decimal(result.stalls().seconds()) + " s",
          Figures.decimal(result.stalls().longestSeconds()) + " s",
          latency(result.writeLatency().p99()),
          Figures.decimal(result.components().mean()),
          Integer.toString(result.components().most()));
    }
    runs.print(console);
    for (Verdict verdict : reproduction.verdicts()) {
      console.printLine("  " + (verdict.holds() ? "holds     " : "does not  ") + verdict.paper());
      console.printLine("            here: " + verdict.found());
      if (!verdict.why().isEmpty()) {
        console.printLine("            why:  " + verdict.why());
      }
    }
    console.printLine("");
    console.out().flush();
  }

  private static String latency(double seconds) {
    return seconds < 0.001
        ? String.format(Locale.ROOT, "%.1f µs", 1e6 * seconds)
        : String.format(Locale.ROOT, "%.3f s", seconds);
  }
}
