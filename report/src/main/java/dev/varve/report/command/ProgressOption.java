package dev.varve.report.command;

import dev.varve.report.Progress;
import picocli.CommandLine.Option;

/** The option that stands before every command. Filled by picocli. */
public final class ProgressOption {
  private final CommandContext context;

  /** The option of a run. */
  public ProgressOption(CommandContext context) {
    this.context = context;
  }

  @Option(
      names = "--progress",
      paramLabel = "STYLE",
      description = "How progress is shown on stderr: bar, lines or none.")
  void show(Progress.Style style) {
    context.showProgress(style);
  }
}
