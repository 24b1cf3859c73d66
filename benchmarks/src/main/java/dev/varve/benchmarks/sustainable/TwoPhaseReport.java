package dev.varve.benchmarks.sustainable;

import dev.varve.benchmarks.report.Report;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.DiskException;
import dev.varve.report.Console;
import dev.varve.report.Figures;
import dev.varve.report.PlotPage;
import dev.varve.report.Table;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Says what an evaluation found: on the console, as HTML and as JSON. Confined to its caller. */
public final class TwoPhaseReport {
  private final TwoPhaseResults results;

  /** A report of some results. */
  public TwoPhaseReport(TwoPhaseResults results) {
    this.results = results;
  }

  /** Prints tables and verdicts. */
  public void print(Console console) {
    results.outcomes().stream()
        .map(outcome -> outcome.request().policy())
        .distinct()
        .forEach(policy -> print(policy, console));
    Table verdicts = new Table("claim", "here", "");
    for (Verdict verdict : results.verdicts()) {
      verdicts.row(verdict.claim(), verdict.found(), verdict.holds() ? "holds" : "does not hold");
    }
    verdicts.print(console.out());
    console.out().flush();
  }

  private void print(String policy, Console console) {
    console.printLine(policy);
    List<PhaseOutcome> outcomes = of(policy);
    Table taken =
        new Table(
            "phase", "scheduler", "arrivals", "records/s", "queued", "components", "most", "limit");
    Table waited =
        new Table("phase", "scheduler", "stalls", "stalled", "forcing", "longest", "by cause");
    Table latencies =
        new Table("phase", "scheduler", "latency", "p50", "p90", "p99", "p99.9", "max");
    for (PhaseOutcome outcome : outcomes) {
      PhaseRequest request = outcome.request();
      taken.row(
          request.name(),
          request.scheduler(),
          request.arrivals(),
          Figures.count(Math.round(outcome.recordsPerSecond())),
          Figures.count(outcome.queued()),
          Figures.decimal(outcome.components().mean()),
          Figures.decimal(outcome.components().most()),
          Integer.toString(outcome.components().limit()));
      waited.row(
          request.name(),
          request.scheduler(),
          Figures.count(outcome.stalls().count()),
          Figures.seconds(outcome.stalls().seconds()),
          Figures.seconds(outcome.stalls().forcedSeconds()),
          Figures.seconds(outcome.stalls().longestSeconds()),
          causes(outcome));
      latencies.row(cells(outcome, "write", outcome.writeLatency()::micros));
      latencies.row(cells(outcome, "processing", outcome.processingLatency()::micros));
    }
    for (Table table : List.of(taken, waited, latencies)) {
      table.print(console.out());
      console.printLine("");
    }
  }

  private static String causes(PhaseOutcome outcome) {
    return outcome.stalls().causes().isEmpty()
        ? "none"
        : outcome.stalls().causes().stream()
            .map(
                cause ->
                    cause.cause().toLowerCase(Locale.ROOT).replace('_', ' ')
                        + " "
                        + Figures.seconds(cause.seconds()))
            .collect(Collectors.joining(", "));
  }

  private static String[] cells(
      PhaseOutcome outcome, String kind, ToDoubleFunction<Double> micros) {
    List<String> cells = new ArrayList<>();
    cells.add(outcome.request().name());
    cells.add(outcome.request().scheduler());
    cells.add(kind);
    for (double percentile : new double[] {50, 90, 99, 99.9, 100}) {
      cells.add(String.format(Locale.ROOT, "%,.2f ms", micros.applyAsDouble(percentile) / 1e3));
    }
    return cells.toArray(String[]::new);
  }

  private List<PhaseOutcome> of(String policy) {
    return results.outcomes().stream()
        .filter(outcome -> outcome.request().policy().equals(policy))
        .toList();
  }

  /** Prints one JSON document. */
  public void printJson(Console console) {
    console.printJson(results);
  }

  /** Writes {@code report.json} and {@code report.html} into a directory. */
  public void write(FileSystem files, Path directory) throws DiskException {
    Report.writeJson(results, files, directory);
    page().writeTo(files, directory.resolve("report.html"));
  }

  PlotPage page() {
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    print(new Console(writer, writer));
    writer.flush();
    List<PlotPage.Section> sections = new ArrayList<>();
    sections.add(new PlotPage.Section("Both phases", text.toString(), List.of()));
    results.outcomes().stream()
        .map(outcome -> outcome.request().policy())
        .distinct()
        .forEach(
            policy ->
                sections.add(
                    new PlotPage.Section(
                        policy,
                        "",
                        List.of(
                            plot(
                                "Write throughput",
                                "records/s",
                                policy,
                                PhaseOutcome.Window::recordsPerSecond),
                            plot(
                                "Disk components",
                                "components",
                                policy,
                                PhaseOutcome.Window::components)))));
    return new PlotPage("varve bench twophase", sections);
  }

  private PlotPage.Plot plot(
      String title, String unit, String policy, ToDoubleFunction<PhaseOutcome.Window> value) {
    List<PlotPage.Line> lines = new ArrayList<>();
    for (PhaseOutcome outcome : of(policy)) {
      List<List<Double>> points = new ArrayList<>();
      for (PhaseOutcome.Window window : outcome.windows()) {
        points.add(List.of(window.endSeconds(), value.applyAsDouble(window)));
      }
      lines.add(
          new PlotPage.Line(
              outcome.request().name() + ", " + outcome.request().scheduler(), points));
    }
    return new PlotPage.Plot(title, "seconds", unit, lines);
  }
}
