package dev.varve.cli.command;

import dev.varve.common.component.ComponentStats;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.engine.Dataset;
import dev.varve.dataset.partition.IndexStats;
import dev.varve.dataset.partition.PartitionStats;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.JobFailedException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code varve compact}: every index becomes one component. */
@Command(
    name = "compact",
    description = "Flush, and merge every index into one component.",
    footer = {"", "Examples:", "  varve compact --dir /tmp/tweets"})
public final class CompactCommand implements Callable<Integer> {
  private final CommandContext context;

  @Mixin private CommonOptions common = new CommonOptions();

  /** Components and their bytes. */
  private record Size(long components, long bytes) {
    static Size of(Cluster cluster) throws StorageException {
      long components = 0;
      long bytes = 0;
      for (Dataset dataset : TweetCluster.datasets(cluster)) {
        for (int partition = 0; partition < dataset.partitionCount(); partition++) {
          PartitionStats stats = dataset.partition(partition).stats();
          for (IndexStats index : stats.indexes()) {
            components += index.components().size();
            bytes += index.components().stream().mapToLong(ComponentStats::bytes).sum();
          }
        }
      }
      return new Size(components, bytes);
    }
  }

  /** A command that prints to a context's console. */
  public CompactCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StorageException, JobFailedException {
    CompactResult result;
    try (Cluster cluster = TweetCluster.open(common.directory)) {
      Size before = Size.of(cluster);
      long began = context.clock().nanoTime();
      cluster.compact(TweetCluster.DATASET);
      double seconds = (context.clock().nanoTime() - began) / 1e9;
      Size after = Size.of(cluster);
      result =
          new CompactResult(
              "compact",
              common.directory.toString(),
              seconds,
              before.components,
              after.components,
              before.bytes,
              after.bytes);
    }
    if (common.json) {
      context.console().printJson(result);
    } else {
      result.print(context.console());
    }
    return 0;
  }
}
