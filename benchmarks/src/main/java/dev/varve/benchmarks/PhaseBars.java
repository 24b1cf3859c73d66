package dev.varve.benchmarks;

import dev.varve.benchmarks.report.Report;
import dev.varve.benchmarks.report.Section;
import dev.varve.benchmarks.report.SectionWatcher;
import dev.varve.report.Progress;
import dev.varve.report.command.CommandContext;
import org.jspecify.annotations.Nullable;

/** A bar for each phase, and its table as soon as it is over. Confined to the main thread. */
final class PhaseBars implements SectionWatcher, AutoCloseable {
  private static final int PERCENT = 100;

  private final CommandContext context;
  private final Report report;
  private double secondsLeft;
  private double phaseSeconds;
  private String id = "";
  private @Nullable Progress bar;

  /**
   * Bars of a run.
   *
   * @param seconds how long its phases will take
   */
  PhaseBars(CommandContext context, Report report, double seconds) {
    this.context = context;
    this.report = report;
    this.secondsLeft = seconds;
  }

  @Override
  public void begins(String begun, double seconds) {
    id = begun;
    phaseSeconds = seconds;
    bar = new Progress(context.progress(), context.console().err(), id, PERCENT);
  }

  @Override
  public void progress(double share, String what) {
    if (bar != null) {
      String note = what;
      if (phaseSeconds > 0) {
        double left = secondsLeft - share * phaseSeconds;
        note = "%s %s, about %d min left".formatted(id, what, Math.round(left / 60));
      }
      bar.update(Math.round(share * PERCENT), note, context.clock().nanoTime());
    }
  }

  @Override
  public void ended(Section section) {
    secondsLeft -= phaseSeconds;
    close();
    report.print(section);
  }

  /** Leaves the bar; idempotent. */
  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
