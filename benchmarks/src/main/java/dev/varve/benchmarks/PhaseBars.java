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
  private final @Nullable Report report;
  private @Nullable Progress bar;

  PhaseBars(CommandContext context, @Nullable Report report) {
    this.context = context;
    this.report = report;
  }

  @Override
  public void begins(String id) {
    bar = new Progress(context.progress(), context.console().err(), id, PERCENT);
  }

  @Override
  public void progress(double share, String what) {
    if (bar != null) {
      bar.update(Math.round(share * PERCENT), what, context.clock().nanoTime());
    }
  }

  @Override
  public void ended(Section section) {
    close();
    if (report != null) {
      report.print(section);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
