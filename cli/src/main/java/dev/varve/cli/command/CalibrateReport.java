package dev.varve.cli.command;

import dev.varve.cli.evaluation.Scale;
import dev.varve.cli.report.Console;
import dev.varve.cli.report.Figures;
import dev.varve.cli.report.PlotPage;
import dev.varve.cli.report.Table;
import dev.varve.scheduler.calibration.CalibrationResult;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * How near the simulator comes to the engine: printed as a table, or as JSON with these names.
 *
 * @param command {@code simulate --calibrate}
 * @param scale of the engine's node
 * @param results of each policy and scheduler
 * @param holds whether all of them are near enough
 */
record CalibrateReport(
    String command, Scale scale, List<CalibrationResult> results, boolean holds) {
  static CalibrateReport of(Scale scale, List<CalibrationResult> results) {
    return new CalibrateReport(
        "simulate --calibrate",
        scale,
        results,
        !results.isEmpty() && results.stream().allMatch(CalibrationResult::holds));
  }

  void print(Console console) {
    Table table =
        new Table(
            "policy",
            "scheduler",
            "records/s",
            "simulated",
            "components",
            "simulated",
            "merges",
            "in both",
            "verdict");
    for (CalibrationResult result : results) {
      table.row(
          result.setting().policy(),
          result.setting().scheduler(),
          Figures.count(Math.round(result.throughput().engine())),
          Figures.count(Math.round(result.throughput().simulated())),
          Figures.decimal(result.meanComponents().engine()),
          Figures.decimal(result.meanComponents().simulated()),
          Figures.count(result.decisions()),
          String.format(Locale.ROOT, "%.0f %%", 100 * result.sameMerges()),
          result.holds() ? "holds" : "does not hold");
    }
    table.print(console.out());
    for (CalibrationResult result : results) {
      console.printLine("");
      console.printLine(result.setting().policy() + ", " + result.setting().scheduler());
      console.printLine(
          String.format(
              Locale.ROOT,
              "  told      a flush has %.1f entries of %.0f bytes, a file costs %.1f more",
              result.sizes().flushEntries(),
              result.sizes().entryBytes(),
              result.sizes().fileEntries()));
      for (CalibrationResult.Check check : result.checks()) {
        console.printLine(
            "  "
                + (check.holds() ? "holds     " : "does not  ")
                + check.name()
                + ": "
                + check.found());
      }
    }
    console.out().flush();
  }

  PlotPage page() {
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    print(new Console(writer, writer));
    writer.flush();
    List<PlotPage.Plot> plots = new ArrayList<>();
    for (CalibrationResult result : results) {
      plots.add(
          new PlotPage.Plot(
              result.setting().policy() + ", " + result.setting().scheduler(),
              "seconds",
              "components",
              List.of(
                  line("engine", result, CalibrationResult.Pair::engine),
                  line("simulator", result, CalibrationResult.Pair::simulated))));
    }
    return new PlotPage(
        "varve simulate --calibrate",
        List.of(new PlotPage.Section("The simulator and the engine", text.toString(), plots)));
  }

  private static PlotPage.Line line(
      String name, CalibrationResult result, ToDoubleFunction<CalibrationResult.Pair> value) {
    List<List<Double>> points = new ArrayList<>();
    double seconds = 0;
    for (CalibrationResult.Pair pair : result.course()) {
      seconds += result.setting().time().windowSeconds();
      points.add(List.of(seconds, value.applyAsDouble(pair)));
    }
    return new PlotPage.Line(name, points);
  }
}
