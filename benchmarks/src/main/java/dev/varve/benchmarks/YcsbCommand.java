package dev.varve.benchmarks;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.report.Caveats;
import dev.varve.benchmarks.report.Report;
import dev.varve.benchmarks.report.Section;
import dev.varve.benchmarks.ycsb.ColdAndWarm;
import dev.varve.benchmarks.ycsb.Maintenance;
import dev.varve.benchmarks.ycsb.YcsbArrivals;
import dev.varve.benchmarks.ycsb.YcsbComparison;
import dev.varve.benchmarks.ycsb.YcsbPass;
import dev.varve.benchmarks.ycsb.YcsbSettings;
import dev.varve.benchmarks.ycsb.YcsbStore;
import dev.varve.benchmarks.ycsb.YcsbWorkload;
import dev.varve.common.error.DiskException;
import dev.varve.report.Figures;
import dev.varve.report.command.ByteSize;
import dev.varve.report.command.CommandContext;
import dev.varve.scheduler.tuner.Tuner;
import dev.varve.scheduler.tuner.TunerText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code varve bench ycsb}: YCSB's core workloads over Varve and RocksDB. */
@Command(
    name = "ycsb",
    sortOptions = false,
    defaultValueProvider = OptionDefaults.class,
    description =
        "Run YCSB's core workloads over stores side by side, each in a process of its own under the"
            + " JVM's default flags: on a store that was just opened and whose files are in no"
            + " cache, then once more in the same process.",
    footer = {
      "",
      "Stores: varve, rocksdb (tuned), rocksdb-default; records have ten fields.",
      "Nothing else should run on the machine. Ctrl-C ends the stores and removes their files.",
      "",
      "Examples:",
      "  varve bench ycsb",
      "  varve bench ycsb --workloads a,c --threads 1 --distribution zipfian,uniform",
      "  varve bench ycsb --workloads a --threads 16 --arrivals 95%%x600",
      "  varve bench ycsb --n 10000000 --operations 10000000 --peer varve,rocksdb,rocksdb-default"
    })
final class YcsbCommand implements Callable<Integer> {
  /** So that a record is far below what a store takes. */
  private static final long MOST_FIELD_BYTES = 100 << 10;

  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private StoreArguments stores = new StoreArguments();

  @Option(
      names = "--field",
      paramLabel = "BYTES",
      converter = ByteSize.Converter.class,
      defaultValue = "100",
      description = "Size of each of a record's ten fields (default: ${DEFAULT-VALUE}).")
  private ByteSize field = new ByteSize(0);

  @Option(
      names = "--operations",
      paramLabel = "M",
      defaultValue = "1000000",
      description =
          "Operations of each pass over a workload; E has 15 %% of them, since it scans (default:"
              + " ${DEFAULT-VALUE}).")
  private long operations;

  @Option(
      names = "--workloads",
      paramLabel = "WORKLOAD",
      split = ",",
      defaultValue = "a,b,c,d,e,f",
      description = "YCSB's core workloads to run, in this order (default: ${DEFAULT-VALUE}).")
  private List<String> labels = List.of();

  @Option(
      names = "--distribution",
      paramLabel = "CHOICE",
      split = ",",
      defaultValue = "zipfian",
      description =
          "How keys are chosen: zipfian, as YCSB gives it (latest in D), or uniform, or both in turn"
              + " (default: ${DEFAULT-VALUE}).")
  private List<String> choices = List.of();

  @Option(
      names = "--tuner",
      paramLabel = "TUNER",
      defaultValue = "fixed",
      description =
          "What changes Varve's threads and memory meanwhile: fixed, varve, adoc-paper and others"
              + " (default: ${DEFAULT-VALUE}).")
  private String tuner = "";

  @Option(
      names = "--budget",
      paramLabel = "BYTES",
      converter = ByteSize.Converter.class,
      defaultValue = "0",
      description =
          "What Varve's flushes and merges may write in a second together, 0 for no limit (default:"
              + " 0).")
  private ByteSize budget = new ByteSize(0);

  @Option(
      names = "--threads",
      paramLabel = "T",
      defaultValue = "2",
      description = "Threads of YCSB (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--arrivals",
      paramLabel = "PACE",
      description =
          "A pass more over each workload, whose operations arrive at a constant pace and are timed"
              + " from their arrival: operations a second, or a part of what the store did in the"
              + " second pass, such as 95%%, or one of them for so many seconds; 95%%x600 first"
              + " measures for as long what the store keeps up (default: no such pass).")
  private @Nullable String arrivals;

  @Mixin private OutputArguments output = new OutputArguments();

  YcsbCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws BenchmarkException, DiskException {
    RunPlaces places = output.places(context);
    YcsbSettings settings = settings(places);
    List<YcsbStore> compared = stores.stores(YcsbStore.values(), spec);
    List<YcsbPass> passes =
        YcsbPass.all(
            StoreArguments.named(YcsbPass.Choice.values(), choices, "distribution", spec),
            StoreArguments.named(YcsbWorkload.values(), labels, "workload", spec));
    YcsbArrivals pace = pace();
    ComparisonRun run = new ComparisonRun(context, places, stores.keep);
    Report report = run.report(output.form());
    PhaseBars bars = new PhaseBars(context, report, 0);
    YcsbComparison comparison =
        new YcsbComparison(
            settings,
            compared,
            context.files(),
            BenchProcess.starter(BenchProcess.Kind.YCSB, places.logs(), context.executor()),
            bars);
    ComparisonRun.Frame frame =
        new ComparisonRun.Frame(
            "bench ycsb",
            facts(settings, pace),
            options(settings, compared),
            Caveats.OF_YCSB,
            sections ->
                YcsbComparison.goals(passes, pace).stream()
                    .map(goal -> goal.check(sections))
                    .toList(),
            sections -> List.of());
    return run.run(
        "%d workloads with %s".formatted(passes.size(), String.join(", ", stores.peers)),
        settings.estimatedSeconds(compared.size(), passes, pace),
        comparison::stop,
        () -> {
          try (bars) {
            run.report(report, frame, () -> sections(comparison, passes, pace));
          }
        });
  }

  private List<Section> sections(
      YcsbComparison comparison, List<YcsbPass> passes, @Nullable YcsbArrivals pace)
      throws BenchmarkException, DiskException {
    List<Section> sections = comparison.run(passes, pace);
    if (!output.json) {
      new ColdAndWarm(sections, 2 + (pace == null ? 0 : pace.passes()))
          .print(context.console().out());
    }
    return sections;
  }

  private static Map<String, String> facts(YcsbSettings settings, @Nullable YcsbArrivals pace) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(
        "data",
        "%s records of ten fields of %,d bytes, keys and choices as YCSB makes them, unseeded"
            .formatted(Figures.count(settings.records().count()), settings.records().fieldBytes()));
    facts.put(
        "each store",
        "cache %s, memory for writes %s, %d threads, durability of a process crash"
            .formatted(
                Figures.bytes(settings.memory().cacheBytes()),
                Figures.bytes(settings.memory().writeBytes()),
                settings.threads()));
    facts.put("tuner of Varve", settings.maintenance().tuner());
    long budget = settings.maintenance().ioBytesPerSecond();
    facts.put("I/O budget of Varve", budget == 0 ? "none" : Figures.bytes(budget) + " a second");
    facts.put("JVM of each store", String.join(" ", settings.jvmArguments()) + ", no other flag");
    facts.put(
        "cold",
        "the store was closed and opened in a new process, its files written back and taken out of"
            + " the system's cache; where that was refused, a note says so");
    facts.put("warm", "the same number of operations again in that process");
    if (pace != null) {
      if (pace.passes() > 1) {
        facts.put("sustained", "and again, for as long as operations then arrive");
      }
      facts.put(
          "paced",
          "and again, at a constant pace of %s, each timed from its arrival".formatted(pace));
    }
    return facts;
  }

  private static Map<String, String> options(YcsbSettings settings, List<YcsbStore> stores) {
    Map<String, String> options = new LinkedHashMap<>();
    stores.forEach(store -> options.put(store.label(), store.options(settings)));
    return options;
  }

  private @Nullable YcsbArrivals pace() {
    try {
      return arrivals == null ? null : YcsbArrivals.parse(arrivals);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), "--arrivals: " + String.valueOf(e.getMessage()), e);
    }
  }

  /** A tuner that divides a rate is refused without one. */
  private Maintenance maintenance() {
    try {
      Tuner read = TunerText.parse(tuner);
      if (read.needsRate() && budget.bytes() == 0) {
        throw new IllegalArgumentException(tuner + " needs a rate: say --budget");
      }
      return new Maintenance(read.describe(), budget.bytes());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), "--tuner: " + String.valueOf(e.getMessage()), e);
    }
  }

  private YcsbSettings settings(RunPlaces places) {
    if (stores.records < 1
        || stores.records > Integer.MAX_VALUE
        || operations < 1
        || operations > Integer.MAX_VALUE / 4
        || threads < 1
        || field.bytes() < 1
        || field.bytes() > MOST_FIELD_BYTES) {
      throw new ParameterException(
          spec.commandLine(),
          "--n, --field (100k at most), --operations and --threads must be above 0, and no more than"
              + " YCSB counts");
    }
    return new YcsbSettings(
        places.scratch(),
        new YcsbSettings.Records(stores.records, (int) field.bytes()),
        operations,
        threads,
        stores.memory(),
        maintenance());
  }
}
