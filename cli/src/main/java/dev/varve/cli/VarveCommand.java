package dev.varve.cli;

import dev.varve.cli.command.CommandContext;
import dev.varve.cli.command.CompactCommand;
import dev.varve.cli.command.FailureReport;
import dev.varve.cli.command.IngestCommand;
import dev.varve.cli.command.QueryCommand;
import dev.varve.cli.command.RepairCommand;
import dev.varve.cli.command.SimulateCommand;
import dev.varve.cli.command.StatsCommand;
import dev.varve.cli.command.VerifyCommand;
import dev.varve.cli.command.WhyCommand;
import dev.varve.cli.report.Console;
import dev.varve.cli.report.Progress;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.hyracks.node.Cluster;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code varve}: the command that the others hang under. Exit codes: 0 when all went well, 1 for a
 * failure, 2 for wrong arguments, 130 after Ctrl-C; 3 comes from the JVM, when it has no heap left.
 */
@Command(
    name = "varve",
    version = "varve 0.1.0",
    mixinStandardHelpOptions = true,
    description = "Transactional LSM datasets inside an embedded Hyracks cluster.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  varve ingest --dir /tmp/tweets --tweets 1000000",
      "  varve query --dir /tmp/tweets --by user.followers_count --range 1000:1099 --count",
      "  varve verify --dir /tmp/tweets --json",
      "",
      "Comparisons with other stores, and benchmarks: 'varve bench --help' (from the sources).",
      "Exit codes: 0 done, 1 failure, 2 wrong arguments, 3 no heap left, 130 stopped by Ctrl-C."
    })
public final class VarveCommand implements Runnable {
  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();

  private VarveCommand(CommandContext context) {
    this.context = context;
  }

  @Option(
      names = "--progress",
      paramLabel = "STYLE",
      description = "How progress is shown on stderr: bar, lines or none.")
  void showProgress(Progress.Style style) {
    context.showProgress(style);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    main(context -> List.of(), arguments);
  }

  /** The same with the commands of a module above. */
  public static void main(Function<CommandContext, List<CommandLine>> more, String[] arguments) {
    Cluster.refuseOtherObjects();
    PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    int exitCode = run(new Console(out, err), more, arguments);
    out.flush();
    err.flush();
    // Hyracks leaves threads behind that do not end by themselves.
    System.exit(exitCode);
  }

  /**
   * Runs one command in this process.
   *
   * @return its exit code
   */
  public static int run(Console console, String... arguments) {
    return run(console, context -> List.of(), arguments);
  }

  private static int run(
      Console console, Function<CommandContext, List<CommandLine>> more, String... arguments) {
    CommandContext context =
        new CommandContext(
            console, new LocalFileSystem(), new SystemClock(), new ThreadTaskExecutor());
    FailureReport failures = new FailureReport(console);
    CommandLine varve =
        new CommandLine(new VarveCommand(context))
            .addSubcommand(new IngestCommand(context))
            .addSubcommand(new QueryCommand(context))
            .addSubcommand(new StatsCommand(context))
            .addSubcommand(new CompactCommand(context))
            .addSubcommand(new VerifyCommand(context))
            .addSubcommand(new RepairCommand(context))
            .addSubcommand(new WhyCommand(context))
            .addSubcommand(new SimulateCommand(context));
    more.apply(context).forEach(varve::addSubcommand);
    int exitCode =
        varve
            .setUsageHelpWidth(100)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setOut(console.out())
            .setErr(console.err())
            .setParameterExceptionHandler(failures::wrongArguments)
            .setExecutionExceptionHandler(failures::failed)
            .execute(arguments);
    console.out().flush();
    console.err().flush();
    return exitCode;
  }
}
