package dev.varve.benchmarks;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.kv.Comparison;
import dev.varve.benchmarks.kv.ComparisonSettings;
import dev.varve.benchmarks.kv.Contender;
import dev.varve.benchmarks.kv.Phase;
import dev.varve.benchmarks.kv.Results;
import dev.varve.benchmarks.report.Report;
import dev.varve.benchmarks.store.StoreKind;
import dev.varve.common.error.DiskException;
import dev.varve.report.Figures;
import dev.varve.report.command.CommandContext;
import dev.varve.report.command.StopSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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
      "Phases go store by store, short ones in rounds. Nothing else should run on the machine.",
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
  @Mixin private KvArguments arguments = new KvArguments();

  KvCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws BenchmarkException, DiskException {
    RunPlaces places = RunPlaces.of(context, arguments.directory, arguments.out);
    ComparisonSettings settings = settings(places);
    places.create(context.files());
    try {
      checkRoom(settings);
      return run(settings, places);
    } finally {
      if (!arguments.keep) {
        places.clean(context.files());
      }
      places.deleteEmptyLogs(context.files());
    }
  }

  private int run(ComparisonSettings settings, RunPlaces places)
      throws BenchmarkException, DiskException {
    context
        .console()
        .err()
        .println(
            "%d phases with %s, about %d minutes; files in %s"
                .formatted(
                    settings.phases().size(),
                    String.join(
                        ", ", settings.contenders().stream().map(Contender::label).toList()),
                    Math.round(settings.estimatedSeconds() / 60),
                    settings.directory()));
    Report report = new Report(context.console(), context.files(), places.out());
    RunWatcher watcher = new RunWatcher(context, settings, arguments.json ? null : report);
    Comparison comparison =
        new Comparison(
            settings,
            context.files(),
            BenchProcess.stores(settings.logs(), context.executor()),
            watcher);
    try (StopSignal signal = StopSignal.listen(comparison::stop)) {
      try {
        Results results = comparison.run(context.clock(), places.time());
        if (arguments.json) {
          report.finishAsJson(results);
        } else {
          report.finish(results);
        }
      } catch (BenchmarkException failure) {
        watcher.close();
        if (signal.exitCode() == 0) {
          throw failure;
        }
        context.console().err().println("Stopped.");
      }
      return signal.exitCode();
    }
  }

  private ComparisonSettings settings(RunPlaces places) {
    if (arguments.records < 1
        || arguments.value.bytes() < 1
        || arguments.value.bytes() > 1 << 16
        || arguments.rounds < 1
        || !(arguments.windowSeconds > 0)
        || !(arguments.capSeconds > 0)) {
      throw wrong("--n, --value (64k at most), --rounds, --window and --cap must be above 0");
    }
    return new ComparisonSettings(
        contenders(),
        phases(),
        arguments.records,
        (int) arguments.value.bytes(),
        arguments.cache.bytes(),
        arguments.memory.bytes(),
        arguments.seed,
        places.scratch(),
        places.logs(),
        new ComparisonSettings.Pace(
            arguments.windowSeconds, arguments.rounds, arguments.capSeconds));
  }

  private List<Contender> contenders() {
    if (arguments.peers.isEmpty()) {
      return Stream.of(StoreKind.values()).map(Contender::of).toList();
    }
    List<Contender> contenders = new ArrayList<>();
    for (String label : arguments.peers) {
      contenders.add(
          Contender.of(
              StoreKind.ofLabel(label)
                  .orElseThrow(() -> wrong("no store is called '" + label + "'"))));
    }
    return contenders;
  }

  private List<Phase> phases() {
    List<Phase> ofSuites =
        Phase.ALL.stream().filter(phase -> arguments.suites.contains(phase.suite())).toList();
    for (String name : arguments.phases) {
      if (ofSuites.stream().noneMatch(phase -> phase.isCalled(name))) {
        throw wrong(
            "no phase is called '%s'; there are %s"
                .formatted(name, String.join(", ", ofSuites.stream().map(Phase::id).toList())));
      }
    }
    return ofSuites.stream()
        .filter(
            phase ->
                arguments.phases.isEmpty() || arguments.phases.stream().anyMatch(phase::isCalled))
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
