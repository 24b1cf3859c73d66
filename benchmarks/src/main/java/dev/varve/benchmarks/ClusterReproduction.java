package dev.varve.benchmarks;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.cluster.ClusterExperiment;
import dev.varve.benchmarks.cluster.ClusterExperiment.Cell;
import dev.varve.benchmarks.cluster.ClusterExperiment.Claim;
import dev.varve.benchmarks.cluster.ClusterExperiment.Row;
import dev.varve.benchmarks.cluster.ClusterRun;
import dev.varve.benchmarks.kv.ScratchFiles;
import dev.varve.common.error.DiskException;
import dev.varve.report.Figures;
import dev.varve.report.Table;
import dev.varve.report.command.CommandContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * {@code varve reproduce} of what the paper measured on a cluster: every run is a cluster of
 * processes, started and filled by {@code varve} commands. Confined to the main thread.
 */
final class ClusterReproduction {
  /** Starting, stopping and the first records of a run. */
  private static final double START_SECONDS = 15;

  /** What a record writes, with its log and its merges. */
  private static final double RECORD_BYTES = 3_000;

  private final CommandContext context;
  private final RunPlaces places;
  private final boolean json;
  private final VarveProcesses varve;

  /**
   * What is written as JSON.
   *
   * @param command {@code reproduce} with the experiment
   * @param title of the experiment
   * @param scale how much was done
   * @param rows its runs
   * @param claims what the paper says, and what became of it
   */
  private record Document(
      String command, String title, ClusterRun.Scale scale, List<Row> rows, List<Claim> claims) {}

  ClusterReproduction(CommandContext context, OutputArguments output) throws DiskException {
    this.context = context;
    this.places = output.places(context);
    this.json = output.json;
    this.varve = new VarveProcesses(places.logs().resolve("varve.log"));
  }

  /** Runs an experiment; the exit code. */
  int run(ClusterExperiment experiment, ClusterRun.Scale scale)
      throws BenchmarkException, DiskException {
    double seconds =
        experiment.cells().size()
            * (START_SECONDS + scale.records() * RECORD_BYTES / scale.budgetBytes());
    return new ComparisonRun(context, places, false)
        .run(
            experiment.cells().size() + " clusters of processes",
            seconds,
            varve::stop,
            () -> report(experiment, scale));
  }

  private void report(ClusterExperiment experiment, ClusterRun.Scale scale)
      throws BenchmarkException, DiskException {
    ClusterRun run = new ClusterRun(scale, varve, ClusterRun::cpuNanos);
    List<Row> rows = new ArrayList<>();
    for (Cell cell : experiment.cells()) {
      Path directory = places.scratch().resolve("cluster");
      Row row = run.run(cell, directory.toString());
      rows.add(row);
      context.console().err().println("%s: %,.0f records/s".formatted(cell.label(), row.rate()));
      ScratchFiles.delete(directory, context.files());
    }
    List<Claim> claims = experiment.claims(rows);
    if (json) {
      context
          .console()
          .printJson(
              new Document(
                  "reproduce " + experiment.label(), experiment.title(), scale, rows, claims));
    } else {
      print(experiment, rows, claims);
    }
  }

  private void print(ClusterExperiment experiment, List<Row> rows, List<Claim> claims) {
    context.console().printLine(experiment.title());
    Table table =
        new Table(
            "run", "nodes", "records", "records/s", "flushes", "merges", "components", "CPU used");
    for (Row row : rows) {
      table.row(
          row.cell().label(),
          Integer.toString(row.cell().nodes()),
          Figures.count(row.records()),
          Figures.count(Math.round(row.rate())),
          Figures.count(row.flushes()),
          Figures.count(row.merges()),
          Figures.count(row.components()),
          String.format(Locale.ROOT, "%.0f %%", 100 * row.cpuShare()));
    }
    table.print(context.console());
    verdicts(claims).print(context.console());
  }

  /** What the paper says, and what became of it. */
  static Table verdicts(List<Claim> claims) {
    Table verdicts = new Table("verdict", "the paper", "here");
    for (Claim claim : claims) {
      verdicts.row(claim.holds() ? "holds" : "does not", claim.text(), claim.found());
    }
    return verdicts;
  }
}
