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

/** {@code varve backup}: one more backup in a directory of backups. */
@Command(
    name = "backup",
    description =
        "Copy the store at rest of one engine or of a cluster into a directory of backups. Files of"
            + " indexes that the backup before has with the same size and checksum are linked from"
            + " there; only the others are copied. Changes nothing in the store.",
    footer = {
      "",
      "A backup is a directory BACKUPS/<number>, there whole or not at all, that opens as a store",
      "of its own. It shares nothing with the store, and old ones may be deleted in any order.",
      "",
      "Examples:",
      "  varve backup --dir /tmp/people --to /backups/people",
      "  varve restore --from /backups/people --dir /tmp/people-again"
    })
public final class BackupCommand implements Callable<Integer> {
  private final CommandContext context;

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(
      names = "--to",
      required = true,
      paramLabel = "BACKUPS",
      description = "Directory of backups; made when it is not there.")
  private Path backups = Path.of("");

  /** A command that prints to a context's console. */
  public BackupCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StorageException {
    long began = context.clock().nanoTime();
    BackupDirectory directory = new BackupDirectory(context.files(), backups);
    Path target = directory.next();
    BackupReport made =
        new DirectoryCopy(context.files(), common.directory, target)
            .copy(directory.newest().orElse(null));
    CopyResult result =
        new CopyResult(
            "backup",
            common.directory.toString(),
            target.toString(),
            made,
            (context.clock().nanoTime() - began) / 1e9,
            List.of());
    result.report(common, context.console());
    return 0;
  }
}
