package dev.varve.cli.command;

import dev.varve.cli.command.RestingEngines.Access;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.BackupReport;
import dev.varve.dataset.StorageEngine;
import dev.varve.report.command.CommandContext;
import dev.varve.report.command.FailureReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code varve restore}: a backup into a directory. */
@Command(
    name = "restore",
    description =
        "Copy a backup into a new directory, and verify every rule of every file there. Changes"
            + " nothing in the backup. Exit code 1 when the copy is not clean: it stays, to be"
            + " looked at.",
    footer = {
      "",
      "DIR is absent or empty before, and there whole or not at all.",
      "",
      "Examples:",
      "  varve restore --from /backups/people --dir /tmp/people-again",
      "  varve restore --from /backups/people --number 3 --dir /tmp/people-then --json"
    })
public final class RestoreCommand implements Callable<Integer> {
  private final CommandContext context;

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(
      names = "--from",
      required = true,
      paramLabel = "BACKUPS",
      description = "Directory of backups.")
  private Path backups = Path.of("");

  @Option(names = "--number", paramLabel = "N", description = "Which backup (default: the newest).")
  private @Nullable Integer number;

  /** A command that prints to a context's console. */
  public RestoreCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StorageException {
    long began = context.clock().nanoTime();
    Path source = source();
    BackupReport made = new DirectoryCopy(context.files(), source, common.directory).copy(null);
    List<String> problems = new ArrayList<>();
    try (RestingEngines engines =
        RestingEngines.open(context.files(), common.directory, Access.READ)) {
      for (StorageEngine engine : engines.engines()) {
        problems.addAll(engine.verify().problems());
      }
    }
    CopyResult result =
        new CopyResult(
            "restore",
            source.toString(),
            common.directory.toString(),
            made,
            (context.clock().nanoTime() - began) / 1e9,
            problems);
    result.report(common, context.console());
    return problems.isEmpty() ? 0 : FailureReport.FAILED;
  }

  private Path source() throws StorageException {
    BackupDirectory directory = new BackupDirectory(context.files(), backups);
    if (number != null) {
      return directory.get(number);
    }
    return directory
        .newest()
        .orElseThrow(
            () ->
                new RequestException(
                    RequestException.Reason.UNKNOWN_DATASET,
                    backups + " has no backups; 'varve backup --to " + backups + "' makes one"));
  }
}
