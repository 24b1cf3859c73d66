package dev.varve.cli.shell;

import dev.varve.cli.command.StoreAccess;
import dev.varve.common.error.StorageException;
import dev.varve.report.Progress;
import dev.varve.report.command.CommandContext;
import dev.varve.report.command.FailureReport;
import dev.varve.report.command.Program;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;

/** Runs the lines of a shell. Confined to the main thread. */
final class ShellRun {
  /** What {@link #run} returns of a line that ends the shell. */
  static final int END = -1;

  private static final Set<String> ENDS = Set.of("exit", "quit");

  /** These read what the shell has open. */
  private static final Set<String> SHARING =
      Set.of("get", "find", "dump", "export", "stats", "verify", "help", "");

  /** These change no store, but want it for themselves. */
  private static final Set<String> READING =
      Set.of("why", "checkpoint", "backup", "simulate", "tail-log", "completion", "man");

  /**
   * What a shell was started with.
   *
   * @param directory that all commands are about
   * @param write whether they may change a store
   */
  record Setup(Path directory, boolean write) {}

  private final CommandContext context;
  private final StoreAccess access;
  private final Program program;
  private final Setup setup;

  ShellRun(CommandContext context, StoreAccess access, Program program, Setup setup) {
    this.context = context;
    this.access = access;
    this.program = program;
    this.setup = setup;
  }

  /** The commands, to look at. */
  CommandLine commands() {
    return program.commands().apply(context);
  }

  StoreAccess access() {
    return access;
  }

  CommandContext context() {
    return context;
  }

  Setup setup() {
    return setup;
  }

  /**
   * Runs a line.
   *
   * @return its exit code, 0 for an empty line, or {@link #END}
   */
  int run(String text) throws StorageException {
    ShellLine line;
    try {
      line = ShellLine.parse(text);
    } catch (IllegalArgumentException open) {
      return refuse(String.valueOf(open.getMessage()));
    }
    String command = line.command();
    if (ENDS.contains(command)) {
      return END;
    }
    if (command.isEmpty()) {
      return 0;
    }
    if (command.equals("shell")) {
      return refuse("this is a shell already");
    }
    List<String> arguments = line.arguments(commands(), setup.directory);
    boolean helps = arguments.contains("--help") || arguments.contains("-h");
    if (!helps && !SHARING.contains(command)) {
      boolean known = commands().getSubcommands().containsKey(command);
      if (known && !setup.write && !READING.contains(command)) {
        return refuse("'" + command + "' may change a store: start the shell with --write for it");
      }
      access.release();
    }
    Progress.Display display = context.progress();
    try {
      return program.run(context, arguments.toArray(new String[0]));
    } finally {
      context.showProgress(display);
    }
  }

  private int refuse(String why) {
    context.console().err().println("varve shell: " + why);
    context.console().err().flush();
    return FailureReport.WRONG_ARGUMENTS;
  }
}
