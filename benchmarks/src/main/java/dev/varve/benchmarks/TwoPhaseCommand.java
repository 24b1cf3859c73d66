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
import dev.varve.report.command.CommandContext;
import dev.varve.scheduler.policy.PolicyText;
import dev.varve.scheduler.scheduling.SchedulerText;
import dev.varve.simulator.Arrivals;
import dev.varve.simulator.evaluation.Scale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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
      "  varve bench twophase --records 2000000 --seconds 720"
    })
final class TwoPhaseCommand implements Callable<Integer> {
  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private TwoPhaseArguments arguments = new TwoPhaseArguments();

  TwoPhaseCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws BenchmarkException, DiskException {
    TwoPhaseSettings settings = settings();
    RunPlaces places = arguments.output.places(context);
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
    if (arguments.output.json) {
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
      arguments.policies.forEach(PolicyText::parse);
      arguments.schedulers.forEach(SchedulerText::parse);
      if (arguments.arrivals != null) {
        Arrivals.parse(arguments.arrivals);
      }
      return new TwoPhaseSettings(
          arguments.policies,
          arguments.schedulers,
          new Scale(
              arguments.records,
              arguments.recordBytes,
              Scale.PAPER_FLUSHES,
              arguments.budget.bytes(),
              arguments.seed),
          arguments.seconds,
          arguments.utilization,
          arguments.arrivals);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
