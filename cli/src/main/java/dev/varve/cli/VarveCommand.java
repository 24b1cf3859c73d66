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
import java.util.Optional;
import java.util.Set;
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
  /** All commands but the shell, in the order of the help. */
  private static final List<String> NAMES =
      List.of(
          "ingest",
          "cluster",
          "query",
          "get",
          "find",
          "dump",
          "import",
          "export",
          "delete-range",
          "add-index",
          "drop-index",
          "checkpoint",
          "backup",
          "restore",
          "stats",
          "compact",
          "verify",
          "repair",
          "why",
          "tail-log",
          "simulate",
          "bench",
          "reproduce",
          "ycsb",
          "completion",
          "man");

  private static final String SHELL = "shell";

  /** These look at all commands. */
  private static final Set<String> ALL_SEEING = Set.of("completion", "man");

  /** These run jobs of a cluster in this process, or may. */
  private static final Set<String> WITH_JOBS = Set.of("ingest", "cluster", "query", SHELL);

  @Spec private CommandSpec spec = CommandSpec.create();

  private VarveCommand() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    if (named(arguments).filter(WITH_JOBS::contains).isPresent()) {
      Cluster.refuseOtherObjects();
    }
    program(arguments).runAndExit(arguments);
  }

  /**
   * Runs one command in this process.
   *
   * @return its exit code
   */
  public static int run(Console console, String... arguments) {
    return program(arguments).run(console, arguments);
  }

  /**
   * A program that has only the command that is asked for: to describe all of them to picocli takes
   * longer than most of them run. It has all of them when none is recognized, for help and
   * suggestions.
   */
  private static Program program(String[] arguments) {
    Optional<String> only = named(arguments).filter(name -> !ALL_SEEING.contains(name));
    return new Program(
        context -> only.isPresent() ? command(context, only.get()) : commands(context),
        List.of(JobFailedException.class));
  }

  /** The command that the arguments begin with, behind how progress is shown. */
  static Optional<String> named(String... arguments) {
    boolean value = false;
    for (String argument : arguments) {
      boolean display = argument.startsWith("--progress") || argument.startsWith("--terminal");
      if (!value && !display) {
        return Optional.of(argument).filter(name -> NAMES.contains(name) || name.equals(SHELL));
      }
      value = display && !argument.contains("=");
    }
    return Optional.empty();
  }

  private static CommandLine command(CommandContext context, String name) {
    CommandLine root = root(context);
    return name.equals(SHELL)
        ? root.addSubcommand(new ShellCommand(context, VarveCommand::commands))
        : root.addSubcommand(name, command(name, context, StoreAccess.each()));
  }

  /** The commands of this program, each of which opens for itself what it reads. */
  public static CommandLine commands(CommandContext context) {
    return commands(context, StoreAccess.each())
        .addSubcommand(new ShellCommand(context, VarveCommand::commands));
  }

  /** The commands that run in a shell, too, where those that read share what is open. */
  public static CommandLine commands(CommandContext context, StoreAccess access) {
    CommandLine root = root(context);
    for (String name : NAMES) {
      root.addSubcommand(name, command(name, context, access));
    }
    return root;
  }

  private static CommandLine root(CommandContext context) {
    return new CommandLine(new VarveCommand())
        .addMixin("progress", CommandSpec.forAnnotatedObject(new ProgressOption(context)));
  }

  private static Object command(String name, CommandContext context, StoreAccess access) {
    return switch (name) {
      case "ingest" -> new IngestCommand(context);
      case "cluster" -> new ClusterCommand(context);
      case "query" -> new QueryCommand(context);
      case "get" -> new GetCommand(context, access);
      case "find" -> new FindCommand(context, access);
      case "dump" -> new DumpCommand(context, access);
      case "import" -> new ImportCommand(context);
      case "export" -> new ExportCommand(context, access);
      case "delete-range" -> new DeleteRangeCommand(context);
      case "add-index" -> new AddIndexCommand(context);
      case "drop-index" -> new DropIndexCommand(context);
      case "checkpoint" -> new CheckpointCommand(context);
      case "backup" -> new BackupCommand(context);
      case "restore" -> new RestoreCommand(context);
      case "stats" -> new StatsCommand(context, access);
      case "compact" -> new CompactCommand(context);
      case "verify" -> new VerifyCommand(context, access);
      case "repair" -> new RepairCommand(context);
      case "why" -> new WhyCommand(context);
      case "tail-log" -> new TailLogCommand(context);
      case "simulate" -> new SimulateCommand(context);
      case "bench" -> SourceCommand.BENCH.spec();
      case "reproduce" -> SourceCommand.REPRODUCE.spec();
      case "ycsb" -> SourceCommand.YCSB.spec();
      case "completion" -> new CompletionCommand(context);
      case "man" -> new ManCommand(context);
      default -> throw new IllegalArgumentException("no command: " + name);
    };
  }
}
