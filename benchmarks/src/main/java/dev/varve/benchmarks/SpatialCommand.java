package dev.varve.benchmarks;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.IndexContender;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.spatial.SpatialBench;
import dev.varve.benchmarks.spatial.SpatialStoreKind;
import dev.varve.common.error.DiskException;
import dev.varve.report.command.CommandContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code varve bench spatial}: spatial indexes side by side. */
@Command(
    name = "spatial",
    sortOptions = false,
    description =
        "Run spatial indexes side by side, each in a process of its own with the same points and"
            + " memory, and say what each phase took and where Varve stands against its goals.",
    footer = {
      "",
      "Stores: varve, asterixdb, lucene, lucene-latlon, jts; extra: varve-deleted-keys, and"
          + " in-place, an R-tree that is"
          + " changed in place.",
      "Nothing else should run on the machine. Ctrl-C ends the stores and removes their files.",
      "",
      "Examples:",
      "  varve bench spatial",
      "  varve bench spatial --n 200000 --peer varve,lucene,jts"
    })
final class SpatialCommand implements Callable<Integer> {
  private static final int POINTS = 2_000_000;
  private static final List<SpatialStoreKind> DEFAULT =
      List.of(
          SpatialStoreKind.VARVE,
          SpatialStoreKind.ASTERIXDB,
          SpatialStoreKind.LUCENE,
          SpatialStoreKind.LUCENE_LATLON,
          SpatialStoreKind.JTS);

  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private IndexArguments arguments = new IndexArguments();

  SpatialCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws BenchmarkException, DiskException {
    RunPlaces places = RunPlaces.of(context, arguments.directory, arguments.out);
    IndexSettings settings = arguments.settings(places, POINTS, spec.commandLine());
    List<IndexContender> contenders = contenders(settings);
    IndexRun.Plan plan =
        new IndexRun.Plan(
            "bench spatial",
            BenchProcess.Kind.SPATIAL,
            SpatialBench.PHASES,
            IndexRun.estimatedSeconds(SpatialBench.PHASES, settings, contenders.size()),
            IndexArguments.words(settings, "points in 4,500 clusters"),
            sections -> SpatialBench.GOALS.stream().map(goal -> goal.check(sections)).toList());
    return new IndexRun(context, new IndexRun.Output(arguments.json, arguments.keep))
        .run(plan, settings, contenders, places);
  }

  private List<IndexContender> contenders(IndexSettings settings) {
    List<SpatialStoreKind> kinds = arguments.peers.isEmpty() ? DEFAULT : named();
    return kinds.stream().map(kind -> kind.contender(settings)).toList();
  }

  private List<SpatialStoreKind> named() {
    List<SpatialStoreKind> kinds = new ArrayList<>();
    for (String label : arguments.peers) {
      kinds.add(
          SpatialStoreKind.ofLabel(label)
              .orElseThrow(
                  () ->
                      new ParameterException(
                          spec.commandLine(), "no store is called '" + label + "'")));
    }
    return kinds;
  }
}
