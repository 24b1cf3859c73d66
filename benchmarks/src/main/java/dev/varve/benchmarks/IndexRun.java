package dev.varve.benchmarks;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.IndexComparison;
import dev.varve.benchmarks.index.IndexContender;
import dev.varve.benchmarks.index.IndexPhase;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.kv.Results.Machine;
import dev.varve.benchmarks.report.Caveats;
import dev.varve.benchmarks.report.Findings;
import dev.varve.benchmarks.report.Goal;
import dev.varve.benchmarks.report.Plot;
import dev.varve.benchmarks.report.Report;
import dev.varve.benchmarks.report.Section;
import dev.varve.common.error.DiskException;
import dev.varve.report.command.CommandContext;
import dev.varve.report.command.StopSignal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs a comparison of indexes as a command does. Confined to the main thread. */
final class IndexRun {
  private final CommandContext context;
  private final Output output;

  /**
   * What is compared.
   *
   * @param command {@code bench spatial}
   * @param kind what the children do
   * @param phases what they do
   * @param seconds how long that takes, roughly
   * @param facts what was asked for, in words
   * @param verdicts what becomes of the results
   */
  record Plan(
      String command,
      BenchProcess.Kind kind,
      List<IndexPhase> phases,
      double seconds,
      Map<String, String> facts,
      Verdicts verdicts) {}

  /** What becomes of results. */
  @FunctionalInterface
  interface Verdicts {
    /** What they are held against. */
    List<Goal.Outcome> of(List<Section> sections);

    /** What is drawn beside the plots of each phase. */
    default List<Plot> plots(List<Section> sections) {
      return List.of();
    }
  }

  /**
   * What is left behind.
   *
   * @param json whether one JSON document is printed and nothing else
   * @param keep whether the stores' files stay
   */
  record Output(boolean json, boolean keep) {}

  IndexRun(CommandContext context, Output output) {
    this.context = context;
    this.output = output;
  }

  /** Runs it; the exit code. */
  int run(Plan plan, IndexSettings settings, List<IndexContender> contenders, RunPlaces places)
      throws BenchmarkException, DiskException {
    places.create(context.files());
    for (IndexContender contender : contenders) {
      context.files().createDirectories(contender.settings().directory());
    }
    try {
      return runInPlaces(plan, settings, contenders, places);
    } finally {
      if (!output.keep()) {
        places.clean(context.files());
      }
      places.deleteEmptyLogs(context.files());
    }
  }

  private int runInPlaces(
      Plan plan, IndexSettings settings, List<IndexContender> contenders, RunPlaces places)
      throws BenchmarkException, DiskException {
    context
        .console()
        .err()
        .println(
            "%d phases with %s, about %d minutes; files in %s"
                .formatted(
                    plan.phases().size(),
                    String.join(", ", contenders.stream().map(IndexContender::label).toList()),
                    Math.max(1, Math.round(plan.seconds() / 60)),
                    settings.directory()));
    Report report = new Report(context.console(), context.files(), places.out());
    long start = context.clock().nanoTime();
    try (PhaseBars watcher = new PhaseBars(context, output.json() ? null : report)) {
      IndexComparison comparison =
          new IndexComparison(
              contenders,
              plan.phases(),
              BenchProcess.indexes(plan.kind(), places.logs(), context.executor()),
              watcher);
      try (StopSignal signal = StopSignal.listen(comparison::stop)) {
        try {
          List<Section> sections = comparison.run();
          Findings findings =
              new Findings(
                  plan.command(),
                  Machine.here(places.time()),
                  plan.facts(),
                  options(contenders),
                  sections,
                  Caveats.OF_INDEXES,
                  (context.clock().nanoTime() - start) / 1e9);
          List<Goal.Outcome> goals = plan.verdicts().of(sections);
          List<Plot> plots = plan.verdicts().plots(sections);
          if (output.json()) {
            report.finishAsJson(findings, goals, plots);
          } else {
            report.finish(findings, goals, plots);
          }
        } catch (BenchmarkException failure) {
          if (signal.exitCode() == 0) {
            throw failure;
          }
          context.console().err().println("Stopped.");
        }
        return signal.exitCode();
      }
    }
  }

  /**
   * How long phases take so many stores, at the rates of a machine with two cores: the slow ones
   * reach the cap.
   */
  static double estimatedSeconds(List<IndexPhase> phases, IndexSettings settings, int stores) {
    double seconds = 0;
    for (IndexPhase phase : phases) {
      seconds +=
          switch (phase.kind()) {
            case LOAD ->
                stores
                    * (IndexSettings.SCRATCH_SECONDS
                        + Math.min(settings.pace().capSeconds(), 2 + settings.count() / 150e3));
            case CHANGE -> stores;
            case MISSING_QUERY -> stores * 15.0;
            case QUERY, RESULTS_QUERY ->
                stores * settings.pace().windowSeconds() * (settings.pace().rounds() * 1.2 + 1);
          };
    }
    return seconds;
  }

  private static Map<String, String> options(List<IndexContender> contenders) {
    Map<String, String> options = new LinkedHashMap<>();
    contenders.forEach(contender -> options.put(contender.label(), contender.options()));
    return options;
  }
}
