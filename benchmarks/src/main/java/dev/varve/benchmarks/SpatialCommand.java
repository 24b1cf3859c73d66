package dev.varve.benchmarks;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.spatial.SpatialBench;
import dev.varve.benchmarks.spatial.SpatialStoreKind;
import dev.varve.common.error.DiskException;
import dev.varve.report.command.CommandContext;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code varve bench spatial}: spatial indexes side by side. */
@Command(
    name = "spatial",
    sortOptions = false,
    defaultValueProvider = OptionDefaults.class,
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
  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private IndexArguments arguments = new IndexArguments();

  SpatialCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws BenchmarkException, DiskException {
    return IndexRun.compare(
        context,
        new IndexRun.Subject(
            "bench spatial",
            BenchProcess.Kind.SPATIAL,
            List.of(SpatialStoreKind.values()),
            SpatialBench.PHASES,
            SpatialBench.GOALS,
            "points in 4,500 clusters"),
        arguments,
        spec);
  }
}
