package dev.varve.cli.command;

import dev.varve.common.error.StorageException;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.JobFailedException;
import dev.varve.report.command.CommandContext;
import java.util.List;
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

  /** A command that prints to a context's console. */
  public CompactCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StorageException, JobFailedException {
    CompactResult result;
    try (Cluster cluster = TweetCluster.open(common.directory)) {
      if (cluster.isEmbedded()) {
        TweetCluster.activate(cluster);
      }
      List<IndexSize> before = IndexSize.of(cluster);
      long began = context.clock().nanoTime();
      cluster.compact(TweetCluster.DATASET);
      double seconds = (context.clock().nanoTime() - began) / 1e9;
      result =
          CompactResult.of(common.directory.toString(), seconds, before, IndexSize.of(cluster));
    }
    if (common.json) {
      context.console().printJson(result);
    } else {
      result.print(context.console());
    }
    return 0;
  }
}
