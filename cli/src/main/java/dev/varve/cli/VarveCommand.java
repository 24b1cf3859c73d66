package dev.varve.cli;

import dev.varve.cli.command.AddIndexCommand;
import dev.varve.cli.command.BackupCommand;
import dev.varve.cli.command.CheckpointCommand;
import dev.varve.cli.command.ClusterCommand;
import dev.varve.cli.command.CompactCommand;
import dev.varve.cli.command.CompletionCommand;
import dev.varve.cli.command.DeleteRangeCommand;
import dev.varve.cli.command.DropIndexCommand;
import dev.varve.cli.command.DumpCommand;
import dev.varve.cli.command.ExportCommand;
import dev.varve.cli.command.FindCommand;
import dev.varve.cli.command.GetCommand;
import dev.varve.cli.command.ImportCommand;
import dev.varve.cli.command.IngestCommand;
import dev.varve.cli.command.ManCommand;
import dev.varve.cli.command.QueryCommand;
import dev.varve.cli.command.RepairCommand;
import dev.varve.cli.command.RestoreCommand;
import dev.varve.cli.command.SimulateCommand;
import dev.varve.cli.command.SourceCommand;
import dev.varve.cli.command.StatsCommand;
import dev.varve.cli.command.StoreAccess;
import dev.varve.cli.command.TailLogCommand;
import dev.varve.cli.command.VerifyCommand;
import dev.varve.cli.command.WhyCommand;
import dev.varve.cli.shell.ShellCommand;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.JobFailedException;
import dev.varve.report.Console;
import dev.varve.report.command.CommandContext;
import dev.varve.report.command.Program;
import dev.varve.report.command.ProgressOption;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code varve}: the command that the others hang under; its exit codes are those of {@link
 * Program}.
 */
@Command(
    name = "varve",
    version = "varve 0.1.0",
    mixinStandardHelpOptions = true,
    description =
        "Transactional LSM storage: datasets and key-value stores, alone or in a cluster.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  varve ingest --dir /tmp/tweets --tweets 1000000",
      "  varve query --dir /tmp/tweets --by user.followers_count --range 1000:1099 --count",
      "  varve verify --dir /tmp/tweets --json",
      "  varve get --dir /tmp/people 3",
      "  varve import --dir /tmp/people --dataset people --key id people.csv",
      "",
      "Exit codes: 0 done, 1 failure, 2 wrong arguments, 3 no heap left, 130 stopped by Ctrl-C."
    })
public final class VarveCommand implements Runnable {
  private static final Program PROGRAM =
      new Program(VarveCommand::commands, List.of(JobFailedException.class));

  @Spec private CommandSpec spec = CommandSpec.create();

  private VarveCommand() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    Cluster.refuseOtherObjects();
    PROGRAM.runAndExit(arguments);
  }

  /**
   * Runs one command in this process.
   *
   * @return its exit code
   */
  public static int run(Console console, String... arguments) {
    return PROGRAM.run(console, arguments);
  }

  /** The commands of this program, each of which opens for itself what it reads. */
  public static CommandLine commands(CommandContext context) {
    return commands(context, StoreAccess.each())
        .addSubcommand(new ShellCommand(context, VarveCommand::commands));
  }

  /** The commands that run in a shell, too, where those that read share what is open. */
  public static CommandLine commands(CommandContext context, StoreAccess access) {
    return new CommandLine(new VarveCommand())
        .addMixin("progress", CommandSpec.forAnnotatedObject(new ProgressOption(context)))
        .addSubcommand(new IngestCommand(context))
        .addSubcommand(new ClusterCommand(context))
        .addSubcommand(new QueryCommand(context))
        .addSubcommand(new GetCommand(context, access))
        .addSubcommand(new FindCommand(context, access))
        .addSubcommand(new DumpCommand(context, access))
        .addSubcommand(new ImportCommand(context))
        .addSubcommand(new ExportCommand(context, access))
        .addSubcommand(new DeleteRangeCommand(context))
        .addSubcommand(new AddIndexCommand(context))
        .addSubcommand(new DropIndexCommand(context))
        .addSubcommand(new CheckpointCommand(context))
        .addSubcommand(new BackupCommand(context))
        .addSubcommand(new RestoreCommand(context))
        .addSubcommand(new StatsCommand(context, access))
        .addSubcommand(new CompactCommand(context))
        .addSubcommand(new VerifyCommand(context, access))
        .addSubcommand(new RepairCommand(context))
        .addSubcommand(new WhyCommand(context))
        .addSubcommand(new TailLogCommand(context))
        .addSubcommand(new SimulateCommand(context))
        .addSubcommand(SourceCommand.BENCH.name(), SourceCommand.BENCH.spec())
        .addSubcommand(SourceCommand.REPRODUCE.name(), SourceCommand.REPRODUCE.spec())
        .addSubcommand(SourceCommand.YCSB.name(), SourceCommand.YCSB.spec())
        .addSubcommand(new CompletionCommand(context))
        .addSubcommand(new ManCommand(context));
  }
}
