package dev.varve.cli.command;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.cli.command.RestingEngines.Access;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.NodeGroup;
import dev.varve.dataset.RepairReport;
import dev.varve.report.command.CommandContext;
import dev.varve.report.command.FailureReport;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code varve repair}: puts records where their primary keys belong. */
@Command(
    name = "repair",
    description =
        "Put records that 'varve verify' finds in a wrong partition, or on a wrong node, where"
            + " their primary keys belong, with their entries in all indexes. The directory is"
            + " that of a cluster or of one engine, and nothing else may have it open. Killed at"
            + " any moment it loses nothing; run it again, and it goes on.",
    footer = {
      "",
      "Where another record of the same key is where both belong, that one stays, because reads"
          + " and",
      "writes go there. The misplaced one is deleted when it has the same bytes; otherwise it is",
      "first written to a file in DIR/repair-rejects, a JSON object a line with both records. A",
      "record that cannot be read, or that is over a limit, stays where it is and is named.",
      "",
      "Exit code 0 when nothing was wrong or all of it was repaired (--dry-run: nothing is wrong),",
      "1 when something is left, 2 for wrong arguments.",
      "",
      "Examples:",
      "  varve repair --dir /tmp/tweets --dry-run",
      "  varve repair --dir /tmp/tweets --json"
    })
public final class RepairCommand implements Callable<Integer> {
  private static final String REJECTS = "repair-rejects";

  private final CommandContext context;

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(names = "--dry-run", description = "Say what would be done, and change no record.")
  private boolean dryRun;

  /** A command that prints to a context's console. */
  public RepairCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StorageException {
    Path rejects = common.directory.resolve(REJECTS);
    RepairResult result;
    try (RestingEngines engines = open()) {
      long began = context.clock().nanoTime();
      NodeGroup nodes = new NodeGroup(engines.engines());
      RepairReport report = dryRun ? nodes.planRepair() : nodes.repair(rejects);
      double seconds = (context.clock().nanoTime() - began) / 1e9;
      result =
          new RepairResult(
              "repair",
              common.directory.toString(),
              dryRun,
              report.complete() && (!dryRun || report.misplaced() == 0),
              seconds,
              rejects.toString(),
              report);
    }
    if (common.json) {
      context.console().printJson(result);
    } else {
      result.print(context.console());
    }
    result.printProblems(context.console());
    return result.clean() ? 0 : FailureReport.FAILED;
  }

  @MustBeClosed
  private RestingEngines open() throws StorageException {
    try {
      return RestingEngines.open(
          context.files(), common.directory, dryRun ? Access.READ : Access.CHANGE);
    } catch (ConflictException inUse) {
      if (inUse.reason() != ConflictException.Reason.DIRECTORY_IN_USE) {
        throw inUse;
      }
      throw new ConflictException(
          inUse.reason(),
          inUse.getMessage()
              + "; a repair moves records between engines, whose users would see them twice: close"
              + " them and run it again, look with --dry-run, or have the program call"
              + " StorageEngine.repair()");
    }
  }
}
