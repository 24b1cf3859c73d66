package dev.varve.benchmarks;

import dev.varve.benchmarks.adoc.AdocClaims;
import dev.varve.benchmarks.adoc.AdocRun;
import dev.varve.benchmarks.adoc.AdocScale;
import dev.varve.benchmarks.adoc.AdocWorkload;
import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.report.Caveats;
import dev.varve.benchmarks.report.Findings;
import dev.varve.benchmarks.report.Goal;
import dev.varve.benchmarks.report.Report;
import dev.varve.common.error.DiskException;
import dev.varve.report.Figures;
import dev.varve.report.command.CommandContext;
import dev.varve.scheduler.tuner.TunerText;
import dev.varve.simulator.FlowDevice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code varve bench adoc}: tuners side by side under ADOC's workloads. */
@Command(
    name = "adoc",
    sortOptions = false,
    description =
        "Run the engine under several tuners, one after the other and in turn, with the workloads"
            + " and the devices of ADOC (FAST 2023, section 6) at a part of their data and their"
            + " bandwidth; and hold what its paper prints against what comes out.",
    footer = {
      "",
      "Devices: pm, nvme, ssd, hdd. Workloads: fillrandom, readwhilewriting, load, a to f.",
      "A tuner 'static(8, 512k)' has to be repeated, not joined by a comma.",
      "An hour of the paper is an hour here unless --faster makes it shorter: its debt is not there"
          + " before that. Nothing else should run on the machine.",
      "",
      "Examples:",
      "  varve bench adoc",
      "  varve bench adoc --device ssd,hdd --workload fillrandom,a --seconds 120",
      "  varve bench adoc --faster 10 --record-bytes 100 --seconds 360"
    })
final class AdocCommand implements Callable<Integer> {
  private static final Map<String, FlowDevice> DEVICES =
      Map.of(
          "pm", FlowDevice.PM,
          "nvme", FlowDevice.NVME,
          "ssd", FlowDevice.SSD,
          "hdd", FlowDevice.HDD);

  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      split = ",",
      defaultValue = "ssd",
      description = "Devices of the paper (default: ${DEFAULT-VALUE}).")
  private List<String> devices = List.of();

  @Option(
      names = "--workload",
      paramLabel = "WORKLOAD",
      split = ",",
      defaultValue = "fillrandom",
      description = "Workloads of the paper (default: ${DEFAULT-VALUE}).")
  private List<String> workloads = List.of();

  @Option(
      names = "--tuner",
      paramLabel = "TUNER",
      description =
          "A tuner, may be repeated (default: varve, adoc-paper, silk-o, auto-tuned and fixed).")
  private List<String> tuners = List.of("varve", "adoc-paper", "silk-o", "auto-tuned", "fixed");

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "60",
      description = "How long each run lasts (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "How often each tuner runs, in turn with the others (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--part",
      paramLabel = "PART",
      defaultValue = "0.01",
      description =
          "The part of the paper's bandwidths, data and pace of clients (default:"
              + " ${DEFAULT-VALUE}).")
  private double part;

  @Option(
      names = "--faster",
      paramLabel = "TIMES",
      defaultValue = "1",
      description =
          "How many seconds of the paper pass in one: data and memory are that much smaller still"
              + " (default: ${DEFAULT-VALUE}).")
  private double faster;

  @Option(
      names = "--record-bytes",
      paramLabel = "BYTES",
      defaultValue = "1016",
      description = "What a record takes, its key included (default: ${DEFAULT-VALUE}).")
  private int recordBytes;

  @Mixin private OutputArguments output = new OutputArguments();

  /**
   * What is written as JSON.
   *
   * @param results what was measured
   * @param goals what the paper prints, and what {@code varve} is to reach, held against that
   * @param runs each of them, with what held writers back
   */
  private record Document(Findings results, List<Goal.Outcome> goals, List<AdocRun.Run> runs) {}

  AdocCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws BenchmarkException, DiskException {
    AdocRun.Plan plan = plan();
    RunPlaces places = output.places(context);
    ComparisonRun run = new ComparisonRun(context, places, false);
    Report report = run.report(output.form());
    PhaseBars bars = new PhaseBars(context, report, plan.estimatedSeconds());
    AdocRun comparison =
        new AdocRun(
            plan,
            context.files(),
            BenchProcess.starter(BenchProcess.Kind.ADOC, places.logs(), context.executor()),
            bars);
    Map<String, String> options = new LinkedHashMap<>();
    plan.tuners().forEach(tuner -> options.put(tuner, plan.scale().options(tuner)));
    ComparisonRun.Frame frame =
        new ComparisonRun.Frame(
            "bench adoc",
            Map.of(
                "scale",
                "a part of %s, %s times as fast, records of %d bytes"
                    .formatted(part, faster, recordBytes),
                "runs",
                "%d of %s each".formatted(rounds, Figures.seconds(seconds))),
            options,
            Caveats.OF_TUNERS,
            sections -> AdocClaims.of(plan, comparison.runs()),
            sections -> List.of());
    return run.run(
        "tuners " + String.join(", ", plan.tuners()),
        plan.estimatedSeconds(),
        comparison::stop,
        () -> {
          try (bars) {
            Findings findings =
                run.findings(frame, () -> comparison.run(places.scratch().resolve("node")));
            List<Goal.Outcome> goals = frame.goals().apply(findings.sections());
            report.finish(
                new Document(findings, goals, comparison.runs()), findings, goals, List.of());
          }
        });
  }

  private AdocRun.Plan plan() {
    try {
      return new AdocRun.Plan(
          devices.stream().map(AdocCommand::device).toList(),
          StoreArguments.named(AdocWorkload.values(), workloads, "workload", spec),
          tuners.stream().map(tuner -> TunerText.parse(tuner).describe()).toList(),
          new AdocScale(part, faster, recordBytes),
          new AdocRun.Effort(rounds, seconds));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private static FlowDevice device(String name) {
    FlowDevice device = DEVICES.get(name.toLowerCase(Locale.ROOT));
    if (device == null) {
      throw new IllegalArgumentException(
          "no device is called '" + name + "'; there are pm, nvme, ssd and hdd");
    }
    return device;
  }
}
