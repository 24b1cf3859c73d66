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

  /**
   * How progress is shown, and in which width.
   *
   * @param style how
   * @param columns width of the terminal, from 20 to 1,000; a bar leaves the last one free, because
   *     some terminals go on to the next line when it is written
   */
  public record Display(Style style, int columns) {
    /** Columns of a terminal that does not tell. */
    public static final int USUAL_COLUMNS = 80;

    private static final int LEAST_COLUMNS = 20;
    private static final int MOST_COLUMNS = 1_000;

    /** Brings the columns into their range. */
    public Display {
      columns = Math.max(LEAST_COLUMNS, Math.min(MOST_COLUMNS, columns));
    }

    private int barColumns() {
      return Math.min(MOST_BAR_COLUMNS, columns - 1);
    }
  }

  /** Total of a task of which nobody knows how many steps it has. */
  public static final long UNKNOWN_TOTAL = -1;

  private static final int MOST_BAR_COLUMNS = 110;
  private static final long NANOS_BETWEEN_LINES = 2_000_000_000L;

  private final Display display;
  private final PrintWriter err;
  private final long total;
  private final ProgressBar bar;
  private long lastLineNanos;

  /** Shows the beginning of a task with a number of steps, or {@link #UNKNOWN_TOTAL}. */
  public Progress(Display display, PrintWriter err, String task, long total) {
    this.display = display;
    this.err = err;
    this.total = total;
    this.bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(total)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(200)
            .setConsumer(new DelegatingProgressBarConsumer(this::draw, display.barColumns()))
            .build();
  }

  private void draw(String line) {
    if (display.style == Style.BAR) {
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
    if (display.style == Style.LINES && nanos - lastLineNanos >= NANOS_BETWEEN_LINES) {
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
    if (display.style == Style.BAR) {
      err.println();
      err.flush();
    }
  }
}
