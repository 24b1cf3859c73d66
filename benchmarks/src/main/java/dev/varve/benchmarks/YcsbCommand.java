package dev.varve.benchmarks;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.kv.Results.Machine;
import dev.varve.benchmarks.report.Caveats;
import dev.varve.benchmarks.report.Findings;
import dev.varve.benchmarks.report.Goal;
import dev.varve.benchmarks.report.Report;
import dev.varve.benchmarks.report.Section;
import dev.varve.benchmarks.ycsb.ColdAndWarm;
import dev.varve.benchmarks.ycsb.YcsbComparison;
import dev.varve.benchmarks.ycsb.YcsbSettings;
import dev.varve.benchmarks.ycsb.YcsbStore;
import dev.varve.benchmarks.ycsb.YcsbWorkload;
import dev.varve.common.error.DiskException;
import dev.varve.report.Figures;
import dev.varve.report.command.CommandContext;
import dev.varve.report.command.StopSignal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code varve bench ycsb}: YCSB's core workloads over Varve and RocksDB. */
@Command(
    name = "ycsb",
    sortOptions = false,
    description =
        "Run YCSB's core workloads over stores side by side, each in a process of its own under the"
            + " JVM's default flags: on a store that was just opened and whose files are in no"
            + " cache, then once more in the same process.",
    footer = {
      "",
      "Nothing else should run on the machine. Ctrl-C ends the stores and removes their files.",
      "",
      "Examples:",
      "  varve bench ycsb",
      "  varve bench ycsb --workloads a,c --threads 1",
      "  varve bench ycsb --n 10000000 --operations 10000000 --peer varve,rocksdb,rocksdb-default"
    })
final class YcsbCommand implements Callable<Integer> {
  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private YcsbArguments arguments = new YcsbArguments();

  YcsbCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws BenchmarkException, DiskException {
    RunPlaces places = RunPlaces.of(context, arguments.directory, arguments.out);
    YcsbSettings settings = settings(places);
    List<YcsbStore> stores = stores();
    List<YcsbWorkload> workloads = workloads();
    places.create(context.files());
    try {
      return run(settings, stores, workloads, places);
    } finally {
      if (!arguments.keep) {
        places.clean(context.files());
      }
      places.deleteEmptyLogs(context.files());
    }
  }

  private int run(
      YcsbSettings settings, List<YcsbStore> stores, List<YcsbWorkload> workloads, RunPlaces places)
      throws BenchmarkException, DiskException {
    double seconds = settings.estimatedSeconds(stores.size(), workloads);
    context
        .console()
        .err()
        .println(
            "%d workloads with %s, about %d minutes; files in %s"
                .formatted(
                    workloads.size(),
                    String.join(", ", stores.stream().map(YcsbStore::label).toList()),
                    Math.max(1, Math.round(seconds / 60)),
                    settings.directory()));
    Report report = new Report(context.console(), context.files(), places.out());
    long start = context.clock().nanoTime();
    try (PhaseBars watcher = new PhaseBars(context, arguments.json ? null : report)) {
      YcsbComparison comparison =
          new YcsbComparison(
              settings,
              stores,
              context.files(),
              BenchProcess.ycsb(settings, places.logs(), context.executor()),
              watcher);
      try (StopSignal signal = StopSignal.listen(comparison::stop)) {
        try {
          List<Section> sections = comparison.run(workloads);
          Findings findings =
              new Findings(
                  "bench ycsb",
                  Machine.here(places.time()),
                  facts(settings),
                  options(settings, stores),
                  sections,
                  Caveats.OF_YCSB,
                  (context.clock().nanoTime() - start) / 1e9);
          finish(report, findings, workloads);
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

  private void finish(Report report, Findings findings, List<YcsbWorkload> workloads)
      throws DiskException {
    List<Goal.Outcome> goals =
        YcsbComparison.goals(workloads).stream()
            .map(goal -> goal.check(findings.sections()))
            .toList();
    if (arguments.json) {
      report.finishAsJson(findings, goals, List.of());
    } else {
      new ColdAndWarm(findings.sections()).print(context.console().out());
      report.finish(findings, goals, List.of());
    }
  }

  private static Map<String, String> facts(YcsbSettings settings) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(
        "data",
        "%s records of ten fields of 100 bytes, keys and choices as YCSB makes them, unseeded"
            .formatted(Figures.count(settings.records())));
    facts.put(
        "each store",
        "cache %s, memory for writes %s, %d threads, durability of a process crash"
            .formatted(
                Figures.bytes(settings.memory().cacheBytes()),
                Figures.bytes(settings.memory().writeBytes()),
                settings.threads()));
    facts.put("JVM of each store", String.join(" ", settings.jvmArguments()) + ", no other flag");
    facts.put(
        "cold",
        "the store was closed and opened in a new process, its files written back and taken out of"
            + " the system's cache; where that was refused, a note says so");
    facts.put("warm", "the same number of operations again in that process");
    return facts;
  }

  private static Map<String, String> options(YcsbSettings settings, List<YcsbStore> stores) {
    Map<String, String> options = new LinkedHashMap<>();
    stores.forEach(store -> options.put(store.label(), store.options(settings)));
    return options;
  }

  private YcsbSettings settings(RunPlaces places) {
    if (arguments.records < 1
        || arguments.records > Integer.MAX_VALUE
        || arguments.operations < 1
        || arguments.operations > Integer.MAX_VALUE / 4
        || arguments.threads < 1) {
      throw wrong("--n, --operations and --threads must be above 0, and no more than YCSB counts");
    }
    return new YcsbSettings(
        places.scratch(),
        arguments.records,
        arguments.operations,
        arguments.threads,
        new YcsbSettings.Memory(arguments.cache.bytes(), arguments.memory.bytes()));
  }

  private List<YcsbStore> stores() {
    List<YcsbStore> stores = new ArrayList<>();
    for (String label : arguments.peers) {
      stores.add(
          YcsbStore.ofLabel(label)
              .orElseThrow(
                  () ->
                      wrong(
                          "no store is called '"
                              + label
                              + "'; there are varve, rocksdb, rocksdb-default")));
    }
    return stores;
  }

  private List<YcsbWorkload> workloads() {
    List<YcsbWorkload> workloads = new ArrayList<>();
    for (String label : arguments.workloads) {
      workloads.add(
          YcsbWorkload.ofLabel(label)
              .orElseThrow(() -> wrong("no workload is called '" + label + "'; there are a to f")));
    }
    return workloads;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
