package dev.varve.benchmarks;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.sustainable.PhaseOutcome;
import dev.varve.benchmarks.sustainable.PhaseProcess;
import dev.varve.benchmarks.sustainable.TwoPhaseReport;
import dev.varve.benchmarks.sustainable.TwoPhaseResults;
import dev.varve.benchmarks.sustainable.TwoPhaseRun;
import dev.varve.benchmarks.sustainable.TwoPhaseSettings;
import dev.varve.common.error.DiskException;
import dev.varve.report.Figures;
import dev.varve.report.command.ByteSize;
import dev.varve.report.command.CommandContext;
import dev.varve.scheduler.policy.PolicyText;
import dev.varve.scheduler.scheduling.SchedulerText;
import dev.varve.scheduler.tuner.TunerText;
import dev.varve.simulator.Arrivals;
import dev.varve.simulator.evaluation.Scale;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code varve bench twophase}: what writers wait for under each policy and scheduler. */
@Command(
    name = "twophase",
    sortOptions = false,
    description =
        "Measure how much the engine takes in a closed system, then let a large part of that arrive"
            + " at a constant pace, and say how long writes wait under each merge scheduler (On"
            + " Performance Stability in LSM-based Storage Systems, section 3.2), scaled down.",
    footer = {
      "",
      "A phase loads a node in a process of its own. Nothing else should run on the machine.",
      "",
      "Examples:",
      "  varve bench twophase",
      "  varve bench twophase --policy 'tiering(3)' --scheduler single,greedy --seconds 20",
      "  varve bench twophase --policy 'prefix(64m, 5)' --stores 4 --scheduler fair,greedy:1:node",
      "  varve bench twophase --records 2000000 --seconds 720"
    })
final class TwoPhaseCommand implements Callable<Integer> {
  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description = "Merge policy, may be repeated (default: tiering(3) and leveling(10)).")
  private List<String> policies = List.of("tiering(3)", "leveling(10)");

  @Option(
      names = "--scheduler",
      paramLabel = "SCHEDULER",
      split = ",",
      description =
          "Merge schedulers of the running phase (default: single,fair,greedy); the testing phase"
              + " runs under fair.")
  private List<String> schedulers = List.of("single", "fair", "greedy");

  @Option(
      names = "--tuner",
      paramLabel = "TUNER",
      defaultValue = "fixed",
      description =
          "What changes the node while both phases run: fixed, varve, adoc-paper and others"
              + " (default: ${DEFAULT-VALUE}).")
  private String tuner = "";

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "How long each phase lasts after its load (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--budget",
      paramLabel = "BYTES",
      converter = ByteSize.RateConverter.class,
      defaultValue = "10MB/s",
      description =
          "What flushes and merges may write in a second, flushes first (default:"
              + " ${DEFAULT-VALUE}).")
  private ByteSize budget = new ByteSize(0);

  @Option(
      names = {"-n", "--records"},
      paramLabel = "N",
      defaultValue = "200000",
      description =
          "Records that are loaded and then updated at random; a memory component holds one of 800"
              + " parts (default: ${DEFAULT-VALUE}).")
  private long records;

  @Option(
      names = "--stores",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Key-value stores in which the records lie, each with its part of the memory and merges of"
              + " its own (default: ${DEFAULT-VALUE}).")
  private int stores;

  @Option(
      names = "--record-bytes",
      paramLabel = "BYTES",
      defaultValue = "512",
      description = "What a record takes, its key included (default: ${DEFAULT-VALUE}).")
  private int recordBytes;

  @Option(
      names = "--utilization",
      paramLabel = "PART",
      defaultValue = "0.95",
      description =
          "The part of the maximum that arrives in the running phase (default: ${DEFAULT-VALUE}).")
  private double utilization;

  @Option(
      names = "--arrivals",
      paramLabel = "ARRIVALS",
      description =
          "What arrives in the running phase, constant:RATE or burst:RATExSECONDS,...; there is no"
              + " testing phase then (default: --utilization of its maximum, at a constant pace).")
  private @Nullable String arrivals;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "42",
      description = "Of the updates (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Mixin private OutputArguments output = new OutputArguments();

  TwoPhaseCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws BenchmarkException, DiskException {
    TwoPhaseSettings settings = settings();
    RunPlaces places = output.places(context);
    PhaseProcess processes =
        new PhaseProcess(
            BenchProcess.starter(BenchProcess.Kind.PHASE, places.logs(), context.executor()),
            places.scratch().resolve("node"));
    return new ComparisonRun(context, places, false)
        .run(
            "%d phases of %s".formatted(settings.phases(), Figures.seconds(settings.seconds())),
            settings.estimatedSeconds(),
            processes::stop,
            () ->
                report(
                    new TwoPhaseRun(settings, processes, this::begins, this::ended)
                        .run(context.clock(), places.time()),
                    places));
  }

  private void report(TwoPhaseResults results, RunPlaces places) throws DiskException {
    TwoPhaseReport report = new TwoPhaseReport(results);
    report.write(context.files(), places.out().toAbsolutePath());
    if (output.json) {
      report.printJson(context.console());
      return;
    }
    report.print(context.console());
    context
        .console()
        .printLine(
            "%s in all; plots in %s"
                .formatted(
                    Figures.seconds(results.seconds()), places.out().resolve("report.html")));
  }

  private void begins(String label) {
    context.console().err().println(label);
    context.console().err().flush();
  }

  private void ended(PhaseOutcome outcome) {
    context
        .console()
        .err()
        .println(
            "  %s records/s, held back for %s"
                .formatted(
                    Figures.count(Math.round(outcome.recordsPerSecond())),
                    Figures.seconds(outcome.stalls().seconds())));
    context.console().err().flush();
  }

  private TwoPhaseSettings settings() {
    try {
      policies.forEach(PolicyText::parse);
      schedulers.forEach(SchedulerText::parse);
      if (arrivals != null) {
        Arrivals.parse(arrivals);
      }
      return new TwoPhaseSettings(
          policies,
          schedulers,
          TunerText.parse(tuner).describe(),
          new Scale(records, recordBytes, Scale.PAPER_FLUSHES, budget.bytes(), seed, stores),
          seconds,
          utilization,
          arrivals);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
