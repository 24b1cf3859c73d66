package dev.varve.cli.command;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.StorageEngine;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.JobFailedException;
import dev.varve.hyracks.operator.NodeFigures;
import dev.varve.report.command.CommandContext;
import java.util.ArrayList;
import java.util.Comparator;
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
    List<NodeFigures> running = new ArrayList<>();
    List<StatsResult.Feed> feeds = new ArrayList<>();
    List<IndexSize> indexes;
    if (target.isRunning()) {
      // Of nodes that are processes of their own, not index by index.
      try (Cluster cluster = target.open()) {
        indexes = IndexSize.of(cluster);
        running.addAll(cluster.figures());
        running.sort(Comparator.comparingInt(NodeFigures::node));
        cluster.feeds().values().forEach(each -> feeds.add(StatsResult.Feed.of(each)));
      }
    } else {
      try (RestingEngines resting = access.read(context.files(), target.directory())) {
        resting.activate();
        indexes = IndexSize.of(resting.engines());
        for (StorageEngine engine : resting.engines()) {
          nodes.add(new StatsResult.Node(engine.place().node(), engine.stats()));
        }
      }
    }
    StatsResult result = new StatsResult("stats", target.text(), indexes, nodes, running, feeds);
    if (target.json) {
      context.console().printJson(result);
    } else {
      result.print(context.console());
    }
    return 0;
  }
}
