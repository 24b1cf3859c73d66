package dev.varve.cli.command;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.engine.StorageEngine;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.JobFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code varve verify}: is everything as it was written, and does it agree. */
@Command(
    name = "verify",
    description =
        "Check every checksum, order, count and filter, and that each secondary index is the"
            + " projection of its primary. Exit code 1, and the places, when something is wrong.",
    footer = {
      "",
      "Examples:",
      "  varve verify --dir /tmp/tweets",
      "  varve verify --dir /tmp/tweets --json"
    })
public final class VerifyCommand implements Callable<Integer> {
  private final CommandContext context;

  @Mixin private CommonOptions common = new CommonOptions();

  /** A command that prints to a context's console. */
  public VerifyCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StorageException, JobFailedException {
    VerifyResult result;
    try (Cluster cluster = TweetCluster.open(common.directory)) {
      long began = context.clock().nanoTime();
      List<VerifyResult.Node> nodes = new ArrayList<>();
      for (StorageEngine engine : cluster.engines()) {
        nodes.add(new VerifyResult.Node(nodes.size(), engine.verify()));
      }
      double seconds = (context.clock().nanoTime() - began) / 1e9;
      result = VerifyResult.of(common.directory.toString(), seconds, IndexSize.of(cluster), nodes);
    }
    if (common.json) {
      context.console().printJson(result);
    } else {
      result.print(context.console());
    }
    result.printProblems(context.console());
    return result.clean() ? 0 : FailureReport.FAILED;
  }
}
