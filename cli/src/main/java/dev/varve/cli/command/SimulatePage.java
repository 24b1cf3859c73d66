package dev.varve.cli.command;

import dev.varve.report.Console;
import dev.varve.report.PlotPage;
import dev.varve.report.SvgPicture;
import dev.varve.simulator.SimulationResult;
import dev.varve.simulator.SimulationResult.Window;
import dev.varve.simulator.reproduction.Reproduction;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/** Simulations as a page with plots. Stateless. */
final class SimulatePage {
  /** More lines than these in one frame are told apart by nobody. */
  private static final int LINES_OF_A_PLOT = 8;

  private SimulatePage() {}

  /** A page of one simulation, or of both phases. */
  static PlotPage of(SimulateReport report) {
    List<Reproduction.NamedResult> runs = new ArrayList<>();
    for (SimulateReport.Run run : report.runs()) {
      runs.add(new Reproduction.NamedResult(run.name(), run.result()));
    }
    return new PlotPage(
        "varve simulate",
        List.of(new PlotPage.Section("Course", printed(report::print), plots(runs))));
  }

  /** A page of figures. */
  static PlotPage of(ReproduceReport report) {
    List<PlotPage.Section> sections = new ArrayList<>();
    for (Reproduction figure : report.figures()) {
      sections.add(
          new PlotPage.Section(
              figure.figure() + ": " + figure.title(),
              printed(console -> ReproduceReport.print(figure, console)),
              plots(figure.runs())));
    }
    return new PlotPage("On Performance Stability in LSM-based Storage Systems", sections);
  }

  /** Throughput and components of a page's first section. */
  static SvgPicture picture(PlotPage page) {
    return new SvgPicture(page.sections().get(0).plots().stream().limit(2).toList());
  }

  private static String printed(Consumer<Console> print) {
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    print.accept(new Console(writer, writer));
    writer.flush();
    return text.toString().stripTrailing();
  }

  private static List<PlotPage.Plot> plots(List<Reproduction.NamedResult> runs) {
    List<PlotPage.Plot> plots = new ArrayList<>();
    for (int first = 0; first < runs.size(); first += LINES_OF_A_PLOT) {
      List<Reproduction.NamedResult> part =
          runs.subList(first, Math.min(runs.size(), first + LINES_OF_A_PLOT));
      plots.add(plot("Write throughput", "records/s", part, Window::recordsPerSecond));
      plots.add(plot("Disk components", "components", part, Window::components));
      if (part.stream().anyMatch(run -> run.result().stalls().seconds() > 0)) {
        plots.add(plot("Time that writes were held back", "s", part, Window::stalledSeconds));
      }
      if (part.stream().anyMatch(run -> largestQueue(run.result()) > 0)) {
        plots.add(plot("Queued writes", "records", part, Window::queuedRecords));
      }
    }
    return plots;
  }

  private static double largestQueue(SimulationResult result) {
    return result.windows().stream().mapToDouble(Window::queuedRecords).max().orElse(0);
  }

  private static PlotPage.Plot plot(
      String title,
      String unit,
      List<Reproduction.NamedResult> runs,
      ToDoubleFunction<Window> value) {
    List<PlotPage.Line> lines = new ArrayList<>();
    for (Reproduction.NamedResult run : runs) {
      List<List<Double>> points = new ArrayList<>();
      for (Window window : run.result().windows()) {
        points.add(List.of(window.endSeconds(), value.applyAsDouble(window)));
      }
      lines.add(new PlotPage.Line(run.name(), points));
    }
    return new PlotPage.Plot(title, "seconds", unit, lines);
  }
}
