package dev.varve.cli.shell;

import dev.varve.cli.command.StoreAccess;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.node.JobFailedException;
import dev.varve.report.Console;
import dev.varve.report.command.CommandContext;
import dev.varve.report.command.FailureReport;
import dev.varve.report.command.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code varve shell}: the commands, with one directory for all of them. */
@Command(
    name = "shell",
    mixinStandardHelpOptions = true,
    description =
        "Run commands one after the other on one directory, typed with history and completion, or"
            + " read from a pipe, a line each. Commands that only read share one opening of the"
            + " store.",
    footer = {
      "",
      "A line is a command as it stands behind 'varve', with --dir filled in; 'help' lists them,",
      "'exit' or Ctrl-D ends. Lines that begin with # are passed over. Without --write commands",
      "that change a store are refused. From a pipe the first command that fails ends the shell",
      "with its exit code, unless --keep-going: then all run, and the first failure's code is kept.",
      "The history keeps no line that begins with a blank, and no password of an address.",
      "",
      "Examples:",
      "  varve shell --dir /tmp/people",
      "  printf 'stats\\nget 3\\n' | varve shell --dir /tmp/people"
    })
public final class ShellCommand implements Callable<Integer> {
  /** Makes the commands that run in a shell. */
  @FunctionalInterface
  public interface Commands extends BiFunction<CommandContext, StoreAccess, CommandLine> {}

  private final CommandContext context;
  private final Commands commands;

  @Option(
      names = {"-d", "--dir"},
      required = true,
      paramLabel = "DIR",
      description = "Directory of a cluster, or of the one engine of a program.")
  private Path directory = Path.of("");

  @Option(names = "--write", description = "Allow commands that change a store.")
  private boolean write;

  @Option(names = "--keep-going", description = "From a pipe, go on behind a command that failed.")
  private boolean keepGoing;

  @Option(
      names = "--history",
      paramLabel = "FILE",
      defaultValue = "${sys:user.home}/.varve/history",
      description =
          "File of the history; a directory that is not there is made for its owner only (default:"
              + " .varve/history in the home directory).")
  private Path history = Path.of("");

  /** A command that runs others in a context. */
  public ShellCommand(CommandContext context, Commands commands) {
    this.context = context;
    this.commands = commands;
  }

  @Override
  public Integer call() throws StorageException {
    if (!context.files().exists(directory)) {
      throw new RequestException(
          RequestException.Reason.UNKNOWN_DATASET, directory + " is not there");
    }
    try (Terminal terminal = TerminalBuilder.builder().system(true).dumb(true).build();
        StoreAccess access = StoreAccess.sharing(directory)) {
      boolean typed = !terminal.getType().startsWith(Terminal.TYPE_DUMB);
      Console outer = context.console();
      int columns = typed && terminal.getWidth() > 0 ? terminal.getWidth() : Console.ANY_WIDTH;
      CommandContext inner = context.withConsole(new Console(outer.out(), outer.err(), columns));
      ShellRun run =
          new ShellRun(inner, access, program(access), new ShellRun.Setup(directory, write));
      return typed ? new TypedLines(run, terminal, history).run(context.files()) : piped(run);
    } catch (IOException failure) {
      throw new UncheckedIOException("the terminal", failure);
    }
  }

  private Program program(StoreAccess access) {
    return new Program(inner -> commands.apply(inner, access), List.of(JobFailedException.class));
  }

  private int piped(ShellRun run) throws StorageException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    int first = 0;
    Iterator<String> each = lines.lines().iterator();
    while (each.hasNext()) {
      int exitCode = run.run(each.next());
      if (exitCode == ShellRun.END) {
        break;
      }
      first = first == 0 ? exitCode : first;
      if (exitCode != 0 && !keepGoing) {
        break;
      }
    }
    assert first == 0 || first >= FailureReport.FAILED : first;
    return first;
  }
}
