package dev.varve.benchmarks;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.cluster.ClusterExperiment.Claim;
import dev.varve.benchmarks.cluster.ClusterRun;
import dev.varve.benchmarks.cluster.QueryExperiment;
import dev.varve.benchmarks.cluster.QueryExperiment.Cell;
import dev.varve.benchmarks.cluster.QueryExperiment.Query;
import dev.varve.benchmarks.cluster.QueryExperiment.Region;
import dev.varve.benchmarks.cluster.QueryExperiment.Row;
import dev.varve.benchmarks.cluster.QueryRun;
import dev.varve.benchmarks.kv.ScratchFiles;
import dev.varve.benchmarks.report.Report;
import dev.varve.common.error.DiskException;
import dev.varve.report.Figures;
import dev.varve.report.PlotPage;
import dev.varve.report.Table;
import dev.varve.report.command.CommandContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code varve reproduce} of what the paper measured with queries, on clusters of processes.
 * Confined to the main thread.
 */
final class QueryReproduction {
  /** Starting, stopping, and what comes before that is measured. */
  private static final double START_SECONDS = 25;

  /** What a record writes, with its log, its merges and a compaction. */
  private static final double RECORD_BYTES = 5_000;

  private final CommandContext context;
  private final RunPlaces places;
  private final boolean json;
  private final VarveProcesses varve;

  /**
   * What is written as JSON.
   *
   * @param command {@code reproduce} with the experiment
   * @param title of the experiment
   * @param scale how much was ingested
   * @param asked how much was asked
   * @param rows its runs, with all queries
   * @param claims what the paper says, and what became of it
   */
  private record Document(
      String command,
      String title,
      ClusterRun.Scale scale,
      QueryRun.Asked asked,
      List<Row> rows,
      List<Claim> claims) {}

  QueryReproduction(CommandContext context, OutputArguments output) throws DiskException {
    this.context = context;
    this.places = output.places(context);
    this.json = output.json;
    this.varve = new VarveProcesses(places.logs().resolve("varve.log"));
  }

  /** Runs an experiment; the exit code. */
  int run(QueryExperiment experiment, ClusterRun.Scale scale, QueryRun.Asked asked)
      throws BenchmarkException, DiskException {
    double seconds =
        experiment.cells().size()
            * (START_SECONDS + scale.records() * RECORD_BYTES / scale.budgetBytes());
    return new ComparisonRun(context, places, false)
        .run(
            experiment.cells().size() + " clusters of processes",
            seconds,
            varve::stop,
            () -> report(experiment, scale, asked));
  }

  private void report(QueryExperiment experiment, ClusterRun.Scale scale, QueryRun.Asked asked)
      throws BenchmarkException, DiskException {
    QueryRun run =
        new QueryRun(
            scale,
            asked,
            varve,
            new QueryRun.Meters(ClusterRun::cpuNanos, context.clock()::nanoTime));
    List<Row> rows = new ArrayList<>();
    for (Cell cell : experiment.cells()) {
      Path directory = places.scratch().resolve("cluster");
      Row row = run.run(cell, directory.toString());
      rows.add(row);
      context
          .console()
          .err()
          .println(
              "%s: %,.0f records/s, %d queries"
                  .formatted(cell.label(), row.rate(), row.queries().size()));
      ScratchFiles.delete(directory, context.files());
    }
    Document document =
        new Document(
            "reproduce " + experiment.label(),
            experiment.title(),
            scale,
            asked,
            rows,
            experiment.claims(rows));
    Report.writeJson(document, context.files(), places.out());
    page(document).writeTo(context.files(), places.out().resolve("report.html"));
    if (json) {
      context.console().printJson(document);
    } else {
      print(document);
    }
  }

  private void print(Document document) {
    context.console().printLine(document.title);
    Table ingestions = new Table("run", "records", "records/s", "CPU used");
    for (Row row : document.rows) {
      ingestions.row(
          row.cell().label(),
          Figures.count(row.records()),
          Figures.count(Math.round(row.rate())),
          String.format(Locale.ROOT, "%.0f %%", 100 * row.cpuShare()));
    }
    ingestions.print(context.console());
    Table queries = new Table("run", "queries", "number", "records of each", "mean ms");
    for (Row row : document.rows) {
      for (Region region : Region.values()) {
        Map<Integer, Double> found = row.found(region);
        row.millis(region)
            .forEach(
                (wanted, millis) ->
                    queries.row(
                        row.cell().label(),
                        region.name().toLowerCase(Locale.ROOT),
                        Figures.count(count(row, region, wanted)),
                        Figures.decimal(found.getOrDefault(wanted, 0.0)),
                        Figures.decimal(millis)));
      }
    }
    queries.print(context.console());
    ClusterReproduction.verdicts(document.claims).print(context.console());
    context.console().printLine("plots in " + places.out().resolve("report.html"));
  }

  private static long count(Row row, Region region, int wanted) {
    return row.queries().stream()
        .filter(query -> query.region() == region && query.wanted() == wanted)
        .count();
  }

  /** Queries over the time of an ingestion, and means by what they should find. */
  private static PlotPage page(Document document) {
    List<PlotPage.Line> over = new ArrayList<>();
    List<PlotPage.Line> means = new ArrayList<>();
    for (Row row : document.rows) {
      List<List<Double>> points = new ArrayList<>();
      for (Query query : row.queries()) {
        if (query.region() == Region.DURING) {
          points.add(List.of(query.at(), 1e3 * query.seconds()));
        }
      }
      if (!points.isEmpty()) {
        over.add(new PlotPage.Line(row.cell().label(), points));
      }
      for (Region region : Region.values()) {
        List<List<Double>> levels = new ArrayList<>();
        row.millis(region)
            .forEach((wanted, millis) -> levels.add(List.of(Math.log10(wanted), millis)));
        if (levels.size() > 1) {
          means.add(new PlotPage.Line(region.name().toLowerCase(Locale.ROOT), levels));
        }
      }
    }
    List<PlotPage.Plot> plots = new ArrayList<>();
    if (!over.isEmpty()) {
      plots.add(new PlotPage.Plot("Queries during ingestion", "seconds", "ms", over));
    }
    if (!means.isEmpty()) {
      plots.add(new PlotPage.Plot("Mean time", "records found, power of ten", "ms", means));
    }
    return new PlotPage(
        "varve " + document.command, List.of(new PlotPage.Section(document.title, "", plots)));
  }
}
