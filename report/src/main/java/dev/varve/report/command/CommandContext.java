package dev.varve.report.command;

import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.TaskExecutor;
import dev.varve.report.Console;
import dev.varve.report.Progress;

/**
 * What a command runs with: where it prints and its doors to the machine. Confined to the main
 * thread.
 */
public final class CommandContext {
  private final Console console;
  private final FileSystem files;
  private final Clock clock;
  private final TaskExecutor executor;
  private Progress.Display progress =
      new Progress.Display(Progress.Style.LINES, Progress.Display.USUAL_COLUMNS);

  /** A context over the given seams. */
  public CommandContext(Console console, FileSystem files, Clock clock, TaskExecutor executor) {
    this.console = console;
    this.files = files;
    this.clock = clock;
    this.executor = executor;
  }

  /** The same that prints to another place. */
  public CommandContext withConsole(Console other) {
    CommandContext same = new CommandContext(other, files, clock, executor);
    same.showProgress(progress);
    return same;
  }

  /** Where it prints. */
  public Console console() {
    return console;
  }

  /** Its door to files. */
  public FileSystem files() {
    return files;
  }

  /** Its door to time. */
  public Clock clock() {
    return clock;
  }

  /** Its door to threads. */
  public TaskExecutor executor() {
    return executor;
  }

  /** How progress is shown. */
  public Progress.Display progress() {
    return progress;
  }

  /** Chooses how progress is shown. */
  public void showProgress(Progress.Display display) {
    progress = display;
  }
}
