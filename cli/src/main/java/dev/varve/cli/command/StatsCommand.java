package dev.varve.cli.command;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.StorageEngine;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.JobFailedException;
import dev.varve.report.command.CommandContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code varve stats}: what is in a directory. */
@Command(
    name = "stats",
    description =
        "Show datasets, indexes, components with their sizes and LSNs, log and memory, of a cluster"
            + " or of one engine. Changes nothing on disk.",
    footer = {
      "",
      "Examples:",
      "  varve stats --dir /tmp/tweets",
      "  varve stats --dir /tmp/tweets --json"
    })
public final class StatsCommand implements Callable<Integer> {
  private final CommandContext context;
  private final StoreAccess access;

  @Mixin private TargetOptions target = new TargetOptions();

  /** A command that prints to a context's console, and reads stores that others may share. */
  public StatsCommand(CommandContext context, StoreAccess access) {
    this.context = context;
    this.access = access;
  }

  @Override
  public Integer call() throws StorageException, JobFailedException {
    List<StatsResult.Node> nodes = new ArrayList<>();
    List<StatsResult.Feed> feeds = new ArrayList<>();
    if (target.isRunning()) {
      try (Cluster cluster = target.connect()) {
        cluster.activate();
        cluster.stats().forEach((node, stats) -> nodes.add(new StatsResult.Node(node, stats)));
        cluster.feeds().values().forEach(each -> feeds.add(StatsResult.Feed.of(each)));
      }
    } else {
      try (RestingEngines resting = access.read(context.files(), target.directory())) {
        resting.activate();
        for (StorageEngine engine : resting.engines()) {
          nodes.add(new StatsResult.Node(engine.place().node(), engine.stats()));
        }
      }
    }
    List<IndexSize> indexes =
        IndexSize.ofAll(nodes.stream().map(StatsResult.Node::engine).toList());
    StatsResult result = new StatsResult("stats", target.text(), indexes, nodes, feeds);
    if (target.json) {
      context.console().printJson(result);
    } else {
      result.print(context.console());
    }
    return 0;
  }
}
