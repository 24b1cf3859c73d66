package dev.varve.benchmarks;

import dev.varve.benchmarks.index.IndexChild;
import dev.varve.benchmarks.index.IndexComparison;
import dev.varve.benchmarks.index.IndexContender;
import dev.varve.benchmarks.index.IndexPhase;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.kv.BenchmarkException;
import dev.varve.benchmarks.kv.Results.Machine;
import dev.varve.benchmarks.report.Findings;
import dev.varve.benchmarks.report.Goal;
import dev.varve.benchmarks.report.Report;
import dev.varve.benchmarks.report.Section;
import dev.varve.cli.command.CommandContext;
import dev.varve.cli.process.StopSignal;
import dev.varve.cli.report.Figures;
import dev.varve.cli.report.Progress;
import dev.varve.common.error.DiskException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Runs a comparison of indexes as a command does. Confined to the main thread. */
final class IndexRun {
  private final CommandContext context;
  private final IndexArguments arguments;
  private final CommandLine commandLine;

  /**
   * What is compared.
   *
   * @param command {@code bench spatial}
   * @param noun what is counted
   * @param main main class of the children
   * @param phases what they do
   * @param goals where the first must stand
   */
  record Plan(
      String command, String noun, Class<?> main, List<IndexPhase> phases, List<Goal> goals) {}

  /** Makes the contenders of given settings. */
  @FunctionalInterface
  interface Contenders {
    List<IndexContender> of(IndexSettings settings);
  }

  IndexRun(CommandContext context, IndexArguments arguments, CommandLine commandLine) {
    this.context = context;
    this.arguments = arguments;
    this.commandLine = commandLine;
  }

  /** Runs it; the exit code. */
  int run(Plan plan, int defaultCount, Contenders contenders)
      throws BenchmarkException, DiskException {
    int count = arguments.count == null ? defaultCount : arguments.count;
    check(count);
    RunPlaces places = RunPlaces.of(context, arguments.directory, arguments.out);
    IndexSettings settings =
        new IndexSettings(
            places.scratch(),
            count,
            arguments.seed,
            new IndexSettings.Budget(
                (int) arguments.page.bytes(), arguments.cache.bytes(), arguments.memory.bytes()),
            new IndexSettings.Pace(
                arguments.capSeconds, arguments.windowSeconds, arguments.rounds));
    List<IndexContender> takingPart = contenders.of(settings);
    places.create(context.files());
    for (IndexContender contender : takingPart) {
      context.files().createDirectories(contender.settings().directory());
    }
    try {
      return run(plan, settings, takingPart, places);
    } finally {
      if (!arguments.keep) {
        places.clean(context.files());
      }
      places.deleteEmptyLogs(context.files());
    }
  }

  private void check(int count) {
    if (count < 1
        || arguments.rounds < 1
        || !(arguments.windowSeconds > 0)
        || !(arguments.capSeconds > 0)) {
      throw new ParameterException(
          commandLine, "--n, --rounds, --window and --cap must be above 0");
    }
    long page = arguments.page.bytes();
    if (Long.bitCount(page) != 1 || page < 1 << 12 || page > 1 << 17) {
      throw new ParameterException(commandLine, "--page must be a power of two from 4k to 128k");
    }
  }

  private int run(
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
                    Math.max(1, Math.round(estimatedSeconds(plan, settings, contenders) / 60)),
                    settings.directory()));
    Report report = new Report(context.console(), context.files(), places.out());
    long start = context.clock().nanoTime();
    try (Bars watcher = new Bars(arguments.json ? null : report)) {
      IndexComparison comparison =
          new IndexComparison(
              contenders,
              plan.phases(),
              IndexChild.starter(plan.main(), places.logs(), context.executor()),
              watcher);
      try (StopSignal signal = StopSignal.listen(comparison::stop)) {
        try {
          List<Section> sections = comparison.run();
          Findings findings =
              new Findings(
                  plan.command(),
                  Machine.here(places.time()),
                  words(plan, settings),
                  options(contenders),
                  sections,
                  (context.clock().nanoTime() - start) / 1e9);
          if (arguments.json) {
            report.finishAsJson(findings, plan.goals());
          } else {
            report.finish(findings, plan.goals());
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

  /** At the rates of a machine with two cores: the slow stores reach the cap. */
  private static double estimatedSeconds(
      Plan plan, IndexSettings settings, List<IndexContender> contenders) {
    double seconds = 0;
    for (IndexPhase phase : plan.phases()) {
      seconds +=
          switch (phase.kind()) {
            case LOAD ->
                contenders.size()
                    * Math.min(settings.pace().capSeconds(), 2 + settings.count() / 150e3);
            case CHANGE -> contenders.size();
            case QUERY, RESULTS_QUERY ->
                contenders.size()
                    * settings.pace().windowSeconds()
                    * (settings.pace().rounds() * 1.2 + 1);
          };
    }
    return seconds;
  }

  private static Map<String, String> words(Plan plan, IndexSettings settings) {
    Map<String, String> words = new LinkedHashMap<>();
    words.put(
        "data",
        "%s %s, seed %d".formatted(Figures.count(settings.count()), plan.noun(), settings.seed()));
    words.put(
        "each store",
        "pages of %s, cache %s, memory for writes %s"
            .formatted(
                Figures.bytes(settings.budget().pageBytes()),
                Figures.bytes(settings.budget().cacheBytes()),
                Figures.bytes(settings.budget().memoryBytes())));
    words.put(
        "pace",
        "%d rounds of %s s, changes cut off after %s s"
            .formatted(
                settings.pace().rounds(),
                settings.pace().windowSeconds(),
                settings.pace().capSeconds()));
    return words;
  }

  private static Map<String, String> options(List<IndexContender> contenders) {
    Map<String, String> options = new LinkedHashMap<>();
    contenders.forEach(contender -> options.put(contender.label(), contender.options()));
    return options;
  }

  /** A bar for each phase, and its table as soon as it is over. */
  private final class Bars implements IndexComparison.Watcher, AutoCloseable {
    private static final int PERCENT = 100;

    private final @Nullable Report report;
    private @Nullable Progress bar;

    Bars(@Nullable Report report) {
      this.report = report;
    }

    @Override
    public void begins(IndexPhase phase) {
      bar = new Progress(context.progress(), context.console().err(), phase.id(), PERCENT);
    }

    @Override
    public void progress(double share, String what) {
      if (bar != null) {
        bar.update(Math.round(share * PERCENT), what, context.clock().nanoTime());
      }
    }

    @Override
    public void ended(Section section) {
      close();
      if (report != null) {
        report.print(section);
      }
    }

    @Override
    public void close() {
      if (bar != null) {
        bar.close();
        bar = null;
      }
    }
  }
}
