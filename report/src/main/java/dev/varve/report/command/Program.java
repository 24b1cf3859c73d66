package dev.varve.report.command;

import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.report.Console;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/**
 * A program of commands. Exit codes: 0 when all went well, 1 for a failure, 2 for wrong arguments,
 * 130 after Ctrl-C; 3 comes from the JVM, when it has no heap left. Immutable.
 *
 * @param commands makes the commands of a run
 * @param explained exceptions that say all there is to say, beside those of the storage: they are
 *     printed without a stack
 */
public record Program(
    Function<CommandContext, CommandLine> commands, List<Class<? extends Exception>> explained) {
  /** Help is at least and at most so wide; picocli takes no less. */
  private static final int LEAST_HELP_COLUMNS = 55;

  private static final int MOST_HELP_COLUMNS = 100;

  /** Copies the list. */
  public Program {
    explained = List.copyOf(explained);
  }

  /** Runs one command and ends the process with its exit code. */
  public void runAndExit(String[] arguments) {
    PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    int exitCode = run(new Console(out, err), arguments);
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
  public int run(Console console, String... arguments) {
    return run(
        new CommandContext(
            console, new LocalFileSystem(), new SystemClock(), new ThreadTaskExecutor()),
        arguments);
  }

  /**
   * Runs one command with what another one runs with.
   *
   * @return its exit code
   */
  public int run(CommandContext context, String... arguments) {
    Console console = context.console();
    FailureReport failures = new FailureReport(console, explained);
    CommandLine line = commands.apply(context);
    line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandList::of);
    int exitCode =
        line.setCaseInsensitiveEnumValuesAllowed(true)
            .setOut(console.out())
            .setErr(console.err())
            .setExecutionStrategy(
                parsed -> {
                  line.setUsageHelpWidth(helpColumns(context));
                  return execute(parsed, failures);
                })
            .setParameterExceptionHandler(failures::wrongArguments)
            .setExecutionExceptionHandler(failures::failed)
            .execute(arguments);
    console.out().flush();
    console.err().flush();
    return exitCode;
  }

  /** A command that has no other last words prints a document when a signal ends it. */
  private static int execute(ParseResult parsed, FailureReport failures) {
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    if (!last.hasMatchedOption("--json")) {
      return new RunLast().execute(parsed);
    }
    String name = last.commandSpec().name();
    try (StopSignal signal = StopSignal.listenToEnd(() -> failures.stopped(name))) {
      assert signal.exitCode() == 0 : "the process has ended";
      return new RunLast().execute(parsed);
    }
  }

  private static int helpColumns(CommandContext context) {
    int columns = context.progress().columns();
    return Math.max(LEAST_HELP_COLUMNS, Math.min(MOST_HELP_COLUMNS, columns));
  }
}
