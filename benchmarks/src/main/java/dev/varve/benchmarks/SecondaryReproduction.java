package dev.varve.benchmarks;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.ChildLink;
import dev.varve.benchmarks.child.Children;
import dev.varve.benchmarks.measure.Machine;
import dev.varve.benchmarks.report.Report;
import dev.varve.benchmarks.secondary.FigureJob;
import dev.varve.benchmarks.secondary.SecondaryFigure;
import dev.varve.benchmarks.secondary.SecondaryFigure.Cell;
import dev.varve.benchmarks.secondary.SecondaryFigure.Row;
import dev.varve.benchmarks.sustainable.Verdict;
import dev.varve.common.error.DiskException;
import dev.varve.report.Figures;
import dev.varve.report.PlotPage;
import dev.varve.report.Table;
import dev.varve.report.command.CommandContext;
import dev.varve.simulator.reproduction.Reproduction;
import dev.varve.simulator.reproduction.Reproductions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * {@code varve reproduce} of what the paper measured of secondary indexes under merges: every phase
 * is a process of its own. Confined to the main thread.
 */
final class SecondaryReproduction {
  private static final List<String> JVM_ARGUMENTS = List.of("-Xmx512m");

  /** What a load takes, on two cores. */
  private static final double LOADED_PER_SECOND = 20_000;

  /** On top of the phase itself, before a child is hung. */
  private static final double PATIENCE_SECONDS = 1_800;

  private final CommandContext context;
  private final OutputArguments output;
  private final RunPlaces places;

  /**
   * What is written as JSON.
   *
   * @param command {@code reproduce} with the figure
   * @param title of the figure
   * @param machine where it ran
   * @param scale how much was done
   * @param rows its phases
   * @param verdicts what the paper says, and what became of it
   * @param simulated what the simulator says of the same figure, at the paper's scale; empty where
   *     it does not draw it
   */
  private record Document(
      String command,
      String title,
      Machine machine,
      FigureJob.Scale scale,
      List<Row> rows,
      List<Verdict> verdicts,
      List<dev.varve.simulator.reproduction.Verdict> simulated) {}

  SecondaryReproduction(CommandContext context, OutputArguments output) throws DiskException {
    this.context = context;
    this.output = output;
    this.places = output.places(context);
  }

  /** Runs a figure; the exit code. */
  int run(SecondaryFigure figure, FigureJob.Scale scale) throws BenchmarkException, DiskException {
    Children children =
        new Children(
            BenchProcess.starter(BenchProcess.Kind.FIGURE, places.logs(), context.executor()));
    return new ComparisonRun(context, places, false)
        .run(
            figure.cells().size() + " phases of " + Figures.seconds(scale.seconds()),
            figure.cells().size() * (scale.seconds() + scale.records() / LOADED_PER_SECOND),
            children::stop,
            () -> report(figure, scale, children));
  }

  private void report(SecondaryFigure figure, FigureJob.Scale scale, Children children)
      throws BenchmarkException, DiskException {
    List<Row> rows = new ArrayList<>();
    Map<String, Double> maxima = new HashMap<>();
    for (Cell cell : figure.cells()) {
      double arrivals = cell.percent() / 100.0 * maxima.getOrDefault(cell.maintenance(), 0.0);
      Row row = phase(new FigureJob(cell, arrivals, scale, places.scratch()), children);
      if (cell.percent() == 0) {
        maxima.put(cell.maintenance(), row.recordsPerSecond());
      }
      rows.add(row);
      context
          .console()
          .err()
          .println("%s: %,.0f records/s".formatted(cell.label(), row.recordsPerSecond()));
      context.console().err().flush();
    }
    Document document =
        new Document(
            "reproduce " + figure.label(),
            figure.title(),
            Machine.here(places.time()),
            scale,
            rows,
            figure.verdicts(rows),
            simulated(figure));
    Report.writeJson(document, context.files(), places.out());
    page(document).writeTo(context.files(), places.out().resolve("report.html"));
    if (output.json) {
      context.console().printJson(document);
    } else {
      print(document);
    }
  }

  private Row phase(FigureJob job, Children children) throws BenchmarkException, DiskException {
    FigureJob placed =
        new FigureJob(
            job.cell(),
            job.arrivalsPerSecond(),
            job.scale(),
            job.directory().resolve(job.cell().label().replaceAll("[^a-z0-9]+", "-")));
    context.files().createDirectories(placed.directory());
    try (ChildLink child = children.start("figure", JVM_ARGUMENTS)) {
      Row row =
          child.ask(placed, Row.class, 2 * job.scale().seconds() + PATIENCE_SECONDS, part -> {});
      if (row == null) {
        throw new BenchmarkException(job.cell().label() + ": the process said nothing");
      }
      return row;
    } catch (BenchmarkException failure) {
      throw new BenchmarkException(job.cell().label() + ": " + failure.getMessage(), failure);
    }
  }

  private static List<dev.varve.simulator.reproduction.Verdict> simulated(SecondaryFigure figure) {
    if (!Reproductions.figures().contains(figure.label())) {
      return List.of();
    }
    Reproduction simulated = Reproductions.of(figure.label());
    return simulated.verdicts();
  }

  private void print(Document document) {
    context.console().printLine(document.title);
    Table table =
        new Table(
            "phase",
            "records/s",
            "varies by",
            "p99 ms",
            "held back",
            "components",
            "CPU used",
            "queries/s of " + SecondaryFigure.selectivities());
    for (Row row : document.rows) {
      table.row(
          row.cell().label(),
          Figures.count(Math.round(row.recordsPerSecond())),
          percent(row.variation()),
          Figures.decimal(row.p99Millis()),
          row.stalledParts().entrySet().stream()
              .map(cause -> percent(cause.getValue()) + " " + cause.getKey())
              .collect(Collectors.joining(", ")),
          Figures.decimal(row.components()),
          percent(row.cpuShare()),
          row.queriesPerSecond().stream().map(Figures::decimal).collect(Collectors.joining(", ")));
    }
    table.print(context.console());
    Table verdicts = new Table("verdict", "the paper", "here");
    document.verdicts.forEach(
        verdict -> verdicts.row(holds(verdict.holds()), verdict.claim(), verdict.found()));
    verdicts.print(context.console());
    if (!document.simulated.isEmpty()) {
      Table beside = new Table("verdict", "the paper", "simulated, at the paper's scale");
      document.simulated.forEach(
          verdict -> beside.row(holds(verdict.holds()), verdict.paper(), verdict.found()));
      beside.print(context.console());
    }
    context.console().printLine("plots in " + places.out().resolve("report.html"));
  }

  private static String holds(boolean holds) {
    return holds ? "holds" : "does not";
  }

  private static String percent(double part) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * part);
  }

  private static PlotPage page(Document document) {
    double window = document.scale.seconds() / document.rows.get(0).windows().size();
    List<PlotPage.Line> lines = new ArrayList<>();
    for (Row row : document.rows) {
      List<List<Double>> points = new ArrayList<>();
      for (double rate : row.windows()) {
        points.add(List.of((points.size() + 1) * window, rate));
      }
      lines.add(new PlotPage.Line(row.cell().label(), points));
    }
    PlotPage.Plot plot = new PlotPage.Plot("Write throughput", "seconds", "records/s", lines);
    return new PlotPage(
        "varve " + document.command,
        List.of(new PlotPage.Section(document.title, "", List.of(plot))));
  }
}
