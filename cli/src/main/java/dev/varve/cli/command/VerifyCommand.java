package dev.varve.cli.command;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.NodeGroup;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.VerifyReport;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.JobFailedException;
import dev.varve.report.command.CommandContext;
import dev.varve.report.command.FailureReport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code varve verify}: is everything as it was written, and does it agree. */
@Command(
    name = "verify",
    description =
        "Check every checksum, order, count and filter, that each secondary index is the projection"
            + " of its primary, and that every record is on the node and in the partition that its"
            + " primary key belongs to. Changes nothing on disk. Exit"
            + " code 1, and the places, when something is wrong.",
    footer = {
      "",
      "Examples:",
      "  varve verify --dir /tmp/tweets",
      "  varve verify --dir /tmp/tweets --json"
    })
public final class VerifyCommand implements Callable<Integer> {
  private final CommandContext context;
  private final StoreAccess access;

  @Mixin private TargetOptions target = new TargetOptions();

  /** A command that prints to a context's console, and reads stores that others may share. */
  public VerifyCommand(CommandContext context, StoreAccess access) {
    this.context = context;
    this.access = access;
  }

  @Override
  public Integer call() throws StorageException, JobFailedException {
    VerifyResult result = verify();
    if (target.json) {
      context.console().printJson(result);
    } else {
      result.print(context.console());
    }
    result.printProblems(context.console());
    return result.clean() ? 0 : FailureReport.FAILED;
  }

  private VerifyResult verify() throws StorageException, JobFailedException {
    if (target.isRunning()) {
      return verifyRunning();
    }
    try (RestingEngines resting = access.read(context.files(), target.directory())) {
      return verify(resting.engines());
    }
  }

  /** By the nodes themselves, where they are processes of their own. */
  private VerifyResult verifyRunning() throws StorageException, JobFailedException {
    try (Cluster cluster = target.open()) {
      long began = context.clock().nanoTime();
      List<String> problems = new ArrayList<>();
      for (String dataset : cluster.datasets()) {
        problems.addAll(cluster.verify(dataset));
      }
      double seconds = (context.clock().nanoTime() - began) / 1e9;
      return new VerifyResult(
          "verify",
          target.text(),
          problems.isEmpty(),
          seconds,
          IndexSize.of(cluster),
          List.of(),
          problems);
    }
  }

  private VerifyResult verify(List<StorageEngine> engines) throws StorageException {
    long began = context.clock().nanoTime();
    List<VerifyResult.Node> nodes = new ArrayList<>();
    long misplaced = 0;
    for (StorageEngine engine : engines) {
      VerifyReport report = engine.verify();
      nodes.add(new VerifyResult.Node(engine.place().node(), report));
      misplaced += report.misplaced();
    }
    // Of the records of one key only one is where it belongs.
    List<String> problems = misplaced > 0 ? new NodeGroup(engines).sharedKeys() : List.<String>of();
    return new VerifyResult(
        "verify",
        target.text(),
        VerifyResult.clean(nodes, problems),
        (context.clock().nanoTime() - began) / 1e9,
        IndexSize.of(engines),
        nodes,
        problems);
  }
}
