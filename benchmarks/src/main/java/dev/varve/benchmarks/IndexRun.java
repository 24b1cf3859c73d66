package dev.varve.benchmarks;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.IndexComparison;
import dev.varve.benchmarks.index.IndexContender;
import dev.varve.benchmarks.index.IndexKind;
import dev.varve.benchmarks.index.IndexPhase;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.report.Goal;
import dev.varve.benchmarks.report.Report;
import dev.varve.common.error.DiskException;
import dev.varve.report.command.CommandContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/** Runs a comparison of indexes as a command does. Confined to the main thread. */
final class IndexRun {
  private final ComparisonRun run;
  private final Report report;

  /**
   * Which indexes are compared.
   *
   * @param command {@code bench spatial}
   * @param kind what the children do
   * @param stores those that there are
   * @param phases what they do
   * @param goals where the first one must stand
   * @param noun what they hold, in words
   * @param caveats what can be held against it
   */
  record Subject(
      String command,
      BenchProcess.Kind kind,
      List<? extends IndexKind> stores,
      List<IndexPhase> phases,
      List<Goal> goals,
      String noun,
      List<String> caveats) {}

  /**
   * What is compared.
   *
   * @param kind what the children do
   * @param phases what they do
   * @param seconds how long that takes, roughly
   * @param frame what the report says of it
   */
  record Plan(
      BenchProcess.Kind kind, List<IndexPhase> phases, double seconds, ComparisonRun.Frame frame) {}

  IndexRun(ComparisonRun run, Report.Form form) {
    this.run = run;
    this.report = run.report(form);
  }

  /** Compares indexes as arguments say; the exit code. */
  static int compare(
      CommandContext context, Subject subject, IndexArguments arguments, CommandSpec spec)
      throws BenchmarkException, DiskException {
    RunPlaces places = arguments.output.places(context);
    IndexSettings settings = arguments.settings(places, spec.commandLine());
    List<IndexContender> contenders =
        arguments.stores.stores(subject.stores.toArray(IndexKind[]::new), spec).stream()
            .map(kind -> kind.contender(settings))
            .toList();
    Plan plan =
        new Plan(
            subject.kind,
            subject.phases,
            estimatedSeconds(subject.phases, settings, contenders.size()),
            new ComparisonRun.Frame(
                subject.command,
                IndexArguments.words(settings, subject.noun),
                options(contenders),
                subject.caveats,
                sections -> subject.goals.stream().map(goal -> goal.check(sections)).toList(),
                sections -> List.of()));
    return new IndexRun(
            new ComparisonRun(context, places, arguments.stores.keep), arguments.output.form())
        .run(plan, contenders);
  }

  /** Runs it; the exit code. */
  int run(Plan plan, List<IndexContender> contenders) throws BenchmarkException, DiskException {
    CommandContext context = run.context();
    PhaseBars bars = new PhaseBars(context, report, plan.seconds);
    IndexComparison comparison =
        new IndexComparison(
            contenders,
            plan.phases,
            BenchProcess.starter(plan.kind, run.places().logs(), context.executor()),
            bars);
    List<String> labels = contenders.stream().map(IndexContender::label).toList();
    return run.run(
        "%d phases with %s".formatted(plan.phases.size(), String.join(", ", labels)),
        plan.seconds,
        comparison::stop,
        () -> {
          for (IndexContender contender : contenders) {
            context.files().createDirectories(contender.settings().directory());
          }
          try (bars) {
            run.report(report, plan.frame, comparison::run);
          }
        });
  }

  /**
   * How long phases take so many stores, at the rates of a machine with two cores: the slow ones
   * reach the cap.
   */
  private static double estimatedSeconds(
      List<IndexPhase> phases, IndexSettings settings, int stores) {
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

  /** The options of stores, by label. */
  static Map<String, String> options(List<IndexContender> contenders) {
    Map<String, String> options = new LinkedHashMap<>();
    contenders.forEach(contender -> options.put(contender.label(), contender.options()));
    return options;
  }
}
