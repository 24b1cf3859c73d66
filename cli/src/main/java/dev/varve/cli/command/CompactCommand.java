package dev.varve.cli.command;

import dev.varve.cli.command.RestingEngines.Access;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Store;
import dev.varve.dataset.model.EngineRequest;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.JobFailedException;
import dev.varve.report.command.CommandContext;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code varve compact}: every index becomes one component. */
@Command(
    name = "compact",
    description = "Flush, and merge every index of a cluster or of one engine into one component.",
    footer = {
      "",
      "Examples:",
      "  varve compact --dir /tmp/tweets",
      "  varve compact --dir /tmp/tweets --repair-only"
    })
public final class CompactCommand implements Callable<Integer> {
  private final CommandContext context;

  @Mixin private TargetOptions target = new TargetOptions();

  @Option(
      names = "--repair-only",
      description =
          "Merge nothing: find which entries of secondary indexes are obsolete, and have searches"
              + " leave them out.")
  private boolean repairOnly;

  /** A command that prints to a context's console. */
  public CompactCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StorageException, JobFailedException {
    if (repairOnly) {
      repair();
      return 0;
    }
    CompactResult result = target.isRunning() ? compactRunning() : compactResting();
    if (target.json) {
      context.console().printJson(result);
    } else {
      result.print(context.console());
    }
    return 0;
  }

  /** By the engines of a directory, or the processes that have them open. */
  private void repair() throws StorageException {
    if (target.isRunning()) {
      throw new RequestException(
          RequestException.Reason.UNSUPPORTED,
          "--repair-only takes the directory of each node, with --dir");
    }
    long began = context.clock().nanoTime();
    try (RestingEngines resting =
        RestingEngines.open(context.files(), target.directory(), Access.CHANGE)) {
      resting.activate();
      for (Store store : resting.stores()) {
        store.repairIndexes();
      }
    } catch (ConflictException inUse) {
      RestingEngines.ask(context.files(), target.directory(), EngineRequest.repairIndexes(), inUse);
    }
    double seconds = (context.clock().nanoTime() - began) / 1e9;
    IndexRepairResult result =
        IndexRepairResult.of(
            target.text(), seconds, IndexSize.at(context.files(), target.directory()));
    if (target.json) {
      context.console().printJson(result);
    } else {
      result.print(context.console());
    }
  }

  /** By the nodes themselves, where they are processes of their own. */
  private CompactResult compactRunning() throws StorageException, JobFailedException {
    try (Cluster cluster = target.open()) {
      List<IndexSize> before = IndexSize.of(cluster);
      long began = context.clock().nanoTime();
      for (String dataset : cluster.datasets()) {
        cluster.compact(dataset);
      }
      double seconds = (context.clock().nanoTime() - began) / 1e9;
      return CompactResult.of(target.text(), seconds, before, IndexSize.of(cluster));
    }
  }

  private CompactResult compactResting() throws StorageException {
    try {
      return compactHere();
    } catch (ConflictException inUse) {
      List<IndexSize> before = IndexSize.at(context.files(), target.directory());
      long began = context.clock().nanoTime();
      RestingEngines.ask(context.files(), target.directory(), EngineRequest.compact(), inUse);
      double seconds = (context.clock().nanoTime() - began) / 1e9;
      List<IndexSize> after = IndexSize.at(context.files(), target.directory());
      return CompactResult.of(target.text(), seconds, before, after);
    }
  }

  private CompactResult compactHere() throws StorageException {
    try (RestingEngines resting =
        RestingEngines.open(context.files(), target.directory(), Access.CHANGE)) {
      resting.activate();
      List<IndexSize> before = IndexSize.of(resting.engines());
      long began = context.clock().nanoTime();
      for (Store store : resting.stores()) {
        store.compact();
      }
      double seconds = (context.clock().nanoTime() - began) / 1e9;
      List<IndexSize> after = IndexSize.of(resting.engines());
      return CompactResult.of(target.text(), seconds, before, after);
    }
  }
}
