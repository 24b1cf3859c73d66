package dev.varve.cli.command;

import dev.varve.report.Console;
import dev.varve.report.Figures;
import dev.varve.report.PlotPage;
import dev.varve.report.Table;
import dev.varve.simulator.calibration.CalibrationResult;
import dev.varve.simulator.evaluation.CalibrationRun;
import dev.varve.simulator.evaluation.Scale;
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
 * @param results of each policy and scheduler that the engine ran under
 * @param failures of the others
 * @param holds whether all of them ran, and are near enough
 */
record CalibrateReport(
    String command,
    Scale scale,
    List<CalibrationResult> results,
    List<Failure> failures,
    boolean holds) {
  /**
   * The engine did not run.
   *
   * @param policy under this policy
   * @param scheduler and this scheduler
   * @param problem why not
   */
  record Failure(String policy, String scheduler, String problem) {}

  static CalibrateReport of(Scale scale, List<CalibrationRun.Outcome> outcomes) {
    List<CalibrationResult> results =
        outcomes.stream().flatMap(outcome -> outcome.result().stream()).toList();
    List<Failure> failures =
        outcomes.stream()
            .filter(outcome -> outcome.result().isEmpty())
            .map(
                outcome ->
                    new Failure(
                        outcome.pair().policy(), outcome.pair().scheduler(), outcome.problem()))
            .toList();
    return new CalibrateReport(
        "simulate --calibrate",
        scale,
        results,
        failures,
        failures.isEmpty() && results.stream().allMatch(CalibrationResult::holds));
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
            "apart",
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
          String.format(Locale.ROOT, "%.1f %%", 100 * result.componentsApart()),
          Figures.count(result.decisions()),
          String.format(Locale.ROOT, "%.0f %%", 100 * result.sameMerges()),
          result.holds() ? "holds" : "does not hold");
    }
    for (Failure failure : failures) {
      table.row(failure.policy(), failure.scheduler(), "", "", "", "", "", "", "", "failed");
    }
    table.print(console);
    for (Failure failure : failures) {
      console.printLine("");
      console.printLine(failure.policy() + ", " + failure.scheduler());
      console.printLine("  failed    " + failure.problem());
    }
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
