package dev.varve.report;

import java.io.PrintWriter;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * How far a command is, on stderr: a bar that stays on its line for a terminal, and a line every
 * few seconds for a file. Confined to the main thread; the bar draws itself on a thread of its own.
 */
public final class Progress implements AutoCloseable {
  /** How progress is shown. */
  public enum Style {
    /** A bar that is drawn over. */
    BAR,
    /** A line every few seconds. */
    LINES,
    /** Not at all. */
    NONE
  }

  /** Total of a task of which nobody knows how many steps it has. */
  public static final long UNKNOWN_TOTAL = -1;

  private static final int WIDTH = 110;
  private static final long NANOS_BETWEEN_LINES = 2_000_000_000L;

  private final Style style;
  private final PrintWriter err;
  private final long total;
  private final ProgressBar bar;
  private long lastLineNanos;

  /** Shows the beginning of a task with a number of steps, or {@link #UNKNOWN_TOTAL}. */
  public Progress(Style style, PrintWriter err, String task, long total) {
    this.style = style;
    this.err = err;
    this.total = total;
    this.bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(total)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(200)
            .setConsumer(new DelegatingProgressBarConsumer(this::draw, WIDTH))
            .build();
  }

  private void draw(String line) {
    if (style == Style.BAR) {
      err.print('\r' + line);
      err.flush();
    }
  }

  /**
   * Shows how far the task is.
   *
   * @param done steps that are done
   * @param note what else is worth saying, in a few words
   * @param nanos the time
   */
  public void update(long done, String note, long nanos) {
    bar.stepTo(done);
    bar.setExtraMessage(note);
    if (style == Style.LINES && nanos - lastLineNanos >= NANOS_BETWEEN_LINES) {
      lastLineNanos = nanos;
      String of = total == UNKNOWN_TOTAL ? "" : " of " + Figures.count(total);
      err.println(Figures.count(done) + of + ", " + note);
      err.flush();
    }
  }

  /** Leaves the bar's line; idempotent. */
  @Override
  public void close() {
    bar.close();
    if (style == Style.BAR) {
      err.println();
      err.flush();
    }
  }
}
