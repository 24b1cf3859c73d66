package dev.varve.report.command;

import dev.varve.report.Progress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * How progress is shown: an option that every command has, before or behind its name, and what the
 * script says of the terminal. Filled by picocli.
 */
public final class ProgressOption {
  private final CommandContext context;

  private Progress.@Nullable Style chosen;
  private int columns = Progress.Display.USUAL_COLUMNS;
  private boolean terminal;

  /** The option of a run. */
  public ProgressOption(CommandContext context) {
    this.context = context;
  }

  @Option(
      names = "--progress",
      paramLabel = "STYLE",
      scope = ScopeType.INHERIT,
      description =
          "How progress is shown on stderr: bar, lines or none; a bar unless it is chosen, where"
              + " that is a terminal.")
  void show(Progress.Style style) {
    chosen = style;
    tell();
  }

  @Option(
      names = "--terminal",
      paramLabel = "COLUMNS",
      hidden = true,
      description = "What stderr goes to is a terminal of this width.")
  void terminal(int wide) {
    terminal = true;
    columns = wide;
    tell();
  }

  private void tell() {
    Progress.Style usual = terminal ? Progress.Style.BAR : Progress.Style.LINES;
    context.showProgress(new Progress.Display(chosen == null ? usual : chosen, columns));
  }
}
