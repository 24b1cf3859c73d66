package dev.varve.cli.command;

import dev.varve.report.Console;
import dev.varve.report.Figures;
import dev.varve.report.Table;
import dev.varve.scheduler.admission.StallCause;
import dev.varve.simulator.LatencySummary;
import dev.varve.simulator.SimulationResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What was simulated: printed as tables, or as JSON with these names.
 *
 * @param command {@code simulate}
 * @param runs in their order
 */
record SimulateReport(String command, List<Run> runs) {
  private static final int ROWS_OF_COURSE = 24;

  /**
   * One simulation.
   *
   * @param name for people
   * @param result what came out
   */
  record Run(String name, SimulationResult result) {}

  void print(Console console) {
    for (Run run : runs) {
      console.printLine(run.name + ": " + setting(run.result.setting()));
      facts(run.result).print(console);
      console.printLine("");
      course(run.result).print(console);
      console.printLine("");
    }
  }

  private static String setting(SimulationResult.Setting setting) {
    return String.join(" + ", setting.policies())
        + ", "
        + setting.scheduler()
        + ", "
        + setting.gate()
        + ", "
        + setting.arrivals()
        + ", "
        + String.join(" + ", setting.keys())
        + ", "
        + duration(setting.seconds());
  }

  private static Table facts(SimulationResult result) {
    SimulationResult.Components components = result.components();
    return Table.ofFacts()
        .row("throughput", Figures.decimal(result.recordsPerSecond()) + " records/s after warm-up")
        .row(
            "records",
            Figures.count(Math.round(result.takenRecords()))
                + " taken, "
                + Figures.count(Math.round(result.queuedRecords()))
                + " queued in the end")
        .row("write latency", latency(result.writeLatency()))
        .row("processing", latency(result.processingLatency()))
        .row("stalls", stalls(result.stalls()))
        .row(
            "components",
            Figures.decimal(components.mean())
                + " on average, "
                + components.most()
                + " at most, limit "
                + (components.limit() == Long.MAX_VALUE ? "none" : components.limit()))
        .row(
            "merges",
            Figures.count(result.merges().count())
                + ", by inputs "
                + byInputs(result.merges().byInputs())
                + "; the longest took "
                + duration(result.merges().longestSeconds()))
        .row(
            "written",
            Figures.decimal(result.io().writeAmplification())
                + " times: flushes "
                + Figures.bytes(Math.round(result.io().flushedBytes()))
                + ", merges "
                + Figures.bytes(Math.round(result.io().mergedBytes()))
                + "; "
                + Figures.decimal(100 * result.io().busyPart())
                + " % of the budget")
        .row(
            "space",
            Figures.decimal(result.space().amplification())
                + " times what is live; "
                + Figures.bytes(Math.round(result.space().peakBytes()))
                + " at most");
  }

  private static String byInputs(Map<Integer, Long> merges) {
    return merges.isEmpty()
        ? "none"
        : new TreeMap<>(merges)
            .entrySet().stream()
                .map(entry -> entry.getKey() + ":" + Figures.count(entry.getValue()))
                .collect(Collectors.joining(" "));
  }

  private static String stalls(SimulationResult.Stalls stalls) {
    if (stalls.count() == 0) {
      return "none";
    }
    List<String> causes = new ArrayList<>();
    for (StallCause cause : StallCause.values()) {
      Double seconds = stalls.secondsByCause().get(cause);
      if (seconds != null) {
        causes.add(cause + " " + duration(seconds));
      }
    }
    return Figures.count(stalls.count())
        + ", "
        + duration(stalls.seconds())
        + ", the longest "
        + duration(stalls.longestSeconds())
        + ": "
        + String.join(", ", causes);
  }

  private static String latency(LatencySummary latency) {
    return "p50 "
        + duration(latency.p50())
        + ", p90 "
        + duration(latency.p90())
        + ", p99 "
        + duration(latency.p99())
        + ", p99.9 "
        + duration(latency.p999())
        + ", max "
        + duration(latency.max());
  }

  /** The course in as many rows as fit a screen: each stands for several windows. */
  private static Table course(SimulationResult result) {
    Table table = new Table("until", "records/s", "components", "most", "stalled", "queued");
    List<SimulationResult.Window> windows = result.windows();
    int group = (windows.size() + ROWS_OF_COURSE - 1) / ROWS_OF_COURSE;
    double from = 0;
    for (int first = 0; first < windows.size(); first += group) {
      List<SimulationResult.Window> part =
          windows.subList(first, Math.min(windows.size(), first + group));
      SimulationResult.Window last = part.get(part.size() - 1);
      double taken = 0;
      double components = 0;
      double begin = from;
      for (SimulationResult.Window window : part) {
        double seconds = window.endSeconds() - begin;
        taken += window.recordsPerSecond() * seconds;
        components += window.components() * seconds;
        begin = window.endSeconds();
      }
      double seconds = last.endSeconds() - from;
      table.row(
          String.format(Locale.ROOT, "%.0f s", last.endSeconds()),
          Figures.count(Math.round(taken / seconds)),
          Figures.decimal(components / seconds),
          Integer.toString(
              part.stream().mapToInt(SimulationResult.Window::mostComponents).max().orElse(0)),
          Figures.decimal(part.stream().mapToDouble(SimulationResult.Window::stalledSeconds).sum())
              + " s",
          Figures.count(Math.round(last.queuedRecords())));
      from = last.endSeconds();
    }
    return table;
  }

  private static String duration(double seconds) {
    if (seconds < 0.001) {
      return String.format(Locale.ROOT, "%.0f µs", seconds * 1e6);
    }
    if (seconds < 1) {
      return String.format(Locale.ROOT, "%.1f ms", seconds * 1e3);
    }
    return String.format(Locale.ROOT, "%.1f s", seconds);
  }
}
