package dev.varve.cli.command;

import dev.varve.cli.report.Console;
import dev.varve.cli.report.Progress;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.TaskExecutor;

/**
 * What a command runs with: where it prints and its doors to the machine. Confined to the main
 * thread.
 */
public final class CommandContext {
  private final Console console;
  private final FileSystem files;
  private final Clock clock;
  private final TaskExecutor executor;
  private Progress.Style progress = Progress.Style.LINES;

  /** A context over the given seams. */
  public CommandContext(Console console, FileSystem files, Clock clock, TaskExecutor executor) {
    this.console = console;
    this.files = files;
    this.clock = clock;
    this.executor = executor;
  }

  Console console() {
    return console;
  }

  FileSystem files() {
    return files;
  }

  Clock clock() {
    return clock;
  }

  TaskExecutor executor() {
    return executor;
  }

  Progress.Style progress() {
    return progress;
  }

  /** Chooses how progress is shown. */
  public void showProgress(Progress.Style style) {
    progress = style;
  }
}
