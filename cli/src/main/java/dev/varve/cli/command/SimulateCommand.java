package dev.varve.cli.command;

import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.EngineSeams;
import dev.varve.report.PlotPage;
import dev.varve.report.command.CommandContext;
import dev.varve.simulator.Simulation;
import dev.varve.simulator.SimulationOptions;
import dev.varve.simulator.SimulationResult;
import dev.varve.simulator.TwoPhaseEvaluation;
import dev.varve.simulator.evaluation.CalibrationRun;
import dev.varve.simulator.reproduction.Reproduction;
import dev.varve.simulator.reproduction.Reproductions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code varve simulate}: hours of writes under a policy and a scheduler, in virtual time. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description = {
      "Run a node in virtual time: the engine's own merge policies, schedulers and write gate over",
      "components that are numbers. Nothing is read or written; two hours take seconds."
    },
    footer = {
      "",
      "Examples:",
      "  varve simulate --policy tiering --ratio 3 --scheduler greedy --arrivals constant:15000",
      "  varve simulate --policy 'leveling(10)' --scheduler greedy --two-phase",
      "  varve simulate --arrivals burst:2000x1500,8000x300 --keys zipf --json",
      "  varve simulate --policy partitioned-leveling --ratio 10 --scheduler single --two-phase",
      "  varve simulate --reproduce fig10 --html /tmp/fig10.html --svg /tmp/fig10.svg",
      "  varve simulate --calibrate --html /tmp/calibration.html"
    })
public final class SimulateCommand implements Callable<Integer> {
  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private SimulateOptions options = new SimulateOptions();

  @Option(
      names = "--two-phase",
      description =
          "Measure the maximum in a closed system first, then let 95 %% of it arrive; --arrivals is"
              + " not looked at.")
  private boolean twoPhase;

  @Option(
      names = "--reproduce",
      paramLabel = "FIGURE",
      split = ",",
      description =
          "Run figures of On Performance Stability in LSM-based Storage Systems, or of ADOC, at the"
              + " paper's scale, with a verdict for each of its claims: fig8, adoc-fig12, ...,"
              + " adoc-all or all. Other options are not looked at.")
  private List<String> figures = List.of();

  @Mixin private CalibrateOptions calibration = new CalibrateOptions();

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write a page with plots, in the place of what is there.")
  private @Nullable Path html;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description =
          "Write throughput and components of the first runs as a picture, in the place of what is"
              + " there.")
  private @Nullable Path svg;

  @Option(
      names = "--json",
      description = "Print one JSON document to stdout, and nothing else there.")
  private boolean json;

  /** A command that prints to a context's console. */
  public SimulateCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StorageException {
    if (calibration.calibrate) {
      return calibrate();
    }
    if (!figures.isEmpty()) {
      return reproduce();
    }
    SimulateReport report = run(read());
    if (json) {
      context.console().printJson(report);
    } else {
      report.print(context.console());
    }
    write(SimulatePage.of(report));
    return 0;
  }

  private int reproduce() throws DiskException {
    List<String> all = Reproductions.figures();
    List<String> wanted = named(all);
    for (String figure : wanted) {
      if (!all.contains(figure)) {
        throw new ParameterException(
            spec.commandLine(),
            "there is no figure '" + figure + "'; write one of " + String.join(", ", all));
      }
    }
    List<Reproduction> done = new ArrayList<>();
    for (String figure : wanted) {
      Reproduction reproduction = Reproductions.of(figure);
      done.add(reproduction);
      if (!json) {
        ReproduceReport.print(reproduction, context.console());
      }
    }
    ReproduceReport report = new ReproduceReport("simulate", done);
    if (json) {
      context.console().printJson(report);
    }
    write(SimulatePage.of(report));
    return 0;
  }

  /** What is asked for; {@code all} and {@code adoc-all} stand alone. */
  private List<String> named(List<String> all) {
    if (figures.equals(List.of("adoc-all"))) {
      return all.stream().filter(each -> each.startsWith("adoc-")).toList();
    }
    return figures.equals(List.of("all")) ? all : figures;
  }

  private int calibrate() throws StorageException {
    CalibrationRun.Plan plan;
    try {
      plan = calibration.plan();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    PrintWriter err = context.console().err();
    Path scratch = calibration.scratch(context.files());
    err.println(
        "%d runs of the engine, %d at a time, %.0f s each after its load, in %s"
            .formatted(plan.pairs().size(), plan.atOnce(), plan.seconds(), scratch));
    EngineSeams seams =
        new EngineSeams(
            context.files(),
            context.clock(),
            context.executor(),
            new SplittableRandom(context.clock().nanoTime()));
    List<CalibrationRun.Outcome> outcomes =
        CalibrationRun.run(
            plan,
            seams,
            scratch,
            (what, pair) -> {
              err.println(what + " " + pair);
              err.flush();
            });
    CalibrateReport report = CalibrateReport.of(plan.scale(), outcomes);
    if (json) {
      context.console().printJson(report);
    } else {
      report.print(context.console());
    }
    write(report.page());
    return report.holds() ? 0 : 1;
  }

  private void write(PlotPage page) throws DiskException {
    if (html != null) {
      page.writeTo(context.files(), html.toAbsolutePath());
      context.console().err().println("wrote " + html);
    }
    if (svg != null) {
      SimulatePage.picture(page).writeTo(context.files(), svg.toAbsolutePath());
      context.console().err().println("wrote " + svg);
    }
  }

  private SimulationOptions read() {
    try {
      return options.toSimulation();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private SimulateReport run(SimulationOptions simulation) {
    if (!twoPhase) {
      return new SimulateReport("simulate", List.of(named("run", Simulation.run(simulation))));
    }
    TwoPhaseEvaluation.Result result =
        new TwoPhaseEvaluation(simulation, simulation, TwoPhaseEvaluation.PAPER_UTILIZATION).run();
    return new SimulateReport(
        "simulate",
        List.of(
            named("testing phase", result.testing()), named("running phase", result.running())));
  }

  private static SimulateReport.Run named(String name, SimulationResult result) {
    return new SimulateReport.Run(name, result);
  }
}
