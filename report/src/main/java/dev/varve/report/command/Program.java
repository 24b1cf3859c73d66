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
    CommandContext context =
        new CommandContext(
            console, new LocalFileSystem(), new SystemClock(), new ThreadTaskExecutor());
    FailureReport failures = new FailureReport(console, explained);
    int exitCode =
        commands
            .apply(context)
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
