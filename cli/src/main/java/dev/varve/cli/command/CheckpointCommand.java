package dev.varve.cli.command;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.BackupReport;
import dev.varve.report.command.CommandContext;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code varve checkpoint}: a second directory with the same store, by hard links. */
@Command(
    name = "checkpoint",
    description =
        "Make a directory that opens as a store of its own, with all that the one at rest has, of"
            + " one engine or of a cluster. On the same device the files of indexes are hard links,"
            + " which take no space until the store has merged them. Changes nothing in the store.",
    footer = {
      "",
      "TARGET is absent or empty before, and there whole or not at all. A program that has its",
      "engine open calls StorageEngine.checkpoint, beside its writers.",
      "",
      "Examples:",
      "  varve checkpoint --dir /tmp/people --to /tmp/people-before-the-change"
    })
public final class CheckpointCommand implements Callable<Integer> {
  private final CommandContext context;

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(names = "--to", required = true, paramLabel = "TARGET", description = "What is made.")
  private Path target = Path.of("");

  /** A command that prints to a context's console. */
  public CheckpointCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StorageException {
    long began = context.clock().nanoTime();
    BackupReport made = new DirectoryCopy(context.files(), common.directory, target).link();
    CopyResult result =
        new CopyResult(
            "checkpoint",
            common.directory.toString(),
            target.toString(),
            made,
            (context.clock().nanoTime() - began) / 1e9,
            List.of());
    result.report(common, context.console());
    return 0;
  }
}
