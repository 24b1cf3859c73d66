package dev.varve.benchmarks;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.kv.Comparison;
import dev.varve.benchmarks.kv.ComparisonSettings;
import dev.varve.benchmarks.kv.Contender;
import dev.varve.benchmarks.kv.Phase;
import dev.varve.benchmarks.kv.Suite;
import dev.varve.benchmarks.report.Report;
import dev.varve.benchmarks.store.StoreKind;
import dev.varve.common.error.DiskException;
import dev.varve.report.Figures;
import dev.varve.report.command.ByteSize;
import dev.varve.report.command.CommandContext;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code varve bench kv}: Varve and other stores side by side. */
@Command(
    name = "kv",
    sortOptions = false,
    description =
        "Run stores side by side, each in a process of its own with the same bytes, memory and"
            + " durability, and say what each phase took and where Varve stands against its goals.",
    footer = {
      "",
      "Stores: varve, rocksdb (tuned), rocksdb-default, asterixdb, lmdb, mvstore; and varve under"
          + " other merge policies: varve-tiering-5, varve-tiering-3, varve-leveling, varve-partitioned.",
      "Phases go store by store, short ones in rounds: forced puts and scans of all records in"
          + " three times as many, a third as long. A load takes --cap at most, op by op, and other"
          + " changes half of it; one of which less than a twentieth is done after a quarter of the"
          + " longest load of its data ends there. The rest is filled in batches, unmeasured.",
      "Nothing else should run on the machine.",
      "Ctrl-C ends the stores and removes their files.",
      "",
      "Examples:",
      "  varve bench kv",
      "  varve bench kv --peer varve,rocksdb,lmdb --suite main --n 1000000",
      "  varve bench kv --phases load,read-hit --json"
    })
final class KvCommand implements Callable<Integer> {
  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private StoreArguments stores = new StoreArguments();

  @Option(
      names = "--suite",
      paramLabel = "SUITE",
      split = ",",
      defaultValue = "main,beyond-cache,large-values,increasing,durable,recovery",
      description =
          "What they do (default: ${DEFAULT-VALUE}); scale is the first store alone with up to ten"
              + " times the records.")
  private List<String> suites = List.of();

  @Option(
      names = "--phases",
      paramLabel = "PHASE",
      split = ",",
      description =
          "Of the suites, only phases with these names, such as load,read-hit or main.load"
              + " (default: all). What they need is filled in unmeasured.")
  private List<String> names = List.of();

  @Option(
      names = "--value",
      paramLabel = "BYTES",
      converter = ByteSize.Converter.class,
      defaultValue = "100",
      description = "Size of a value; keys have 16 bytes (default: ${DEFAULT-VALUE}).")
  private ByteSize value = new ByteSize(0);

  @Mixin private PaceArguments pace = new PaceArguments();
  @Mixin private OutputArguments output = new OutputArguments();

  KvCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws BenchmarkException, DiskException {
    RunPlaces places = output.places(context);
    ComparisonSettings settings = settings(places);
    ComparisonRun run = new ComparisonRun(context, places, stores.keep);
    Report report = run.report(output.form());
    double seconds = settings.estimatedSeconds();
    PhaseBars bars = new PhaseBars(context, report, seconds);
    Comparison comparison =
        new Comparison(
            settings,
            context.files(),
            BenchProcess.starter(BenchProcess.Kind.KV, places.logs(), context.executor()),
            bars);
    return run.run(
        "%d phases with %s".formatted(settings.phases().size(), String.join(", ", stores.peers)),
        seconds,
        comparison::stop,
        () -> {
          try (bars) {
            checkRoom(settings);
            comparison.run(context.clock(), places.time()).finish(report);
          }
        });
  }

  private ComparisonSettings settings(RunPlaces places) {
    if (stores.records < 1 || value.bytes() < 1 || value.bytes() > 1 << 20 || !pace.isPositive()) {
      throw wrong("--n, --value (1m at most), --rounds, --window and --cap must be above 0");
    }
    return new ComparisonSettings(
        stores.stores(StoreKind.values(), spec).stream().map(Contender::of).toList(),
        phases(),
        new ComparisonSettings.Rows(stores.records, (int) value.bytes(), pace.seed),
        stores.memory(),
        places.scratch(),
        pace.pace());
  }

  private List<Phase> phases() {
    List<Suite> suites = StoreArguments.named(Suite.values(), this.suites, "suite", spec);
    List<Phase> ofSuites =
        Phase.ALL.stream().filter(phase -> suites.contains(phase.suite())).toList();
    for (String name : names) {
      if (ofSuites.stream().noneMatch(phase -> phase.isCalled(name))) {
        throw wrong(
            "no phase is called '%s'; there are %s"
                .formatted(name, String.join(", ", ofSuites.stream().map(Phase::id).toList())));
      }
    }
    return ofSuites.stream()
        .filter(phase -> names.isEmpty() || names.stream().anyMatch(phase::isCalled))
        .toList();
  }

  private void checkRoom(ComparisonSettings settings) throws DiskException {
    long room = context.files().usableBytes(settings.directory());
    if (room < settings.roomBytes()) {
      throw wrong(
          "%s has %s left, this may need %s: choose another --dir, fewer --peer or a smaller --n"
              .formatted(
                  settings.directory(), Figures.bytes(room), Figures.bytes(settings.roomBytes())));
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
