package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.measure.Work.Effort;

/**
 * The constant pace at which the operations of a pass arrive, whether or not the store takes them.
 *
 * @param perSecond operations a second; 0 when the pace is a part
 * @param part of the operations a second that the store itself did before, when none had to wait
 *     for its arrival; 0 when the pace is a number
 * @param seconds for how long; 0 for as many operations as the passes before
 */
public record YcsbArrivals(double perSecond, double part, double seconds) {
  private static final String PERCENT = "%";
  private static final String TIMES = "x";

  /**
   * Reads a number of operations a second, or a part such as {@code 95%}, and for how many seconds:
   * {@code 95%x600}.
   *
   * @throws IllegalArgumentException when it is neither, or not above 0
   */
  public static YcsbArrivals parse(String text) {
    int times = text.indexOf(TIMES);
    String pace = times < 0 ? text : text.substring(0, times);
    boolean part = pace.endsWith(PERCENT);
    try {
      double value = above0(part ? pace.substring(0, pace.length() - PERCENT.length()) : pace);
      double seconds = times < 0 ? 0 : above0(text.substring(times + TIMES.length()));
      return part ? new YcsbArrivals(0, value / 100, seconds) : new YcsbArrivals(value, 0, seconds);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is neither operations a second nor a part of the store's own, such as 95%, with"
              + " or without a number of seconds, such as 95%x600",
          e);
    }
  }

  private static double above0(String text) {
    double value = Double.parseDouble(text);
    if (value > 0 && value < Double.POSITIVE_INFINITY) {
      return value;
    }
    throw new NumberFormatException(text);
  }

  /**
   * Passes over a workload that it takes: a part of what the store keeps up for so many seconds is
   * found by a pass that is as long. A shorter one leaves merges for later, and its rate is more.
   */
  public int passes() {
    return part > 0 && seconds > 0 ? 2 : 1;
  }

  /** Operations a second, after a pass without a pace. */
  double after(Measurement before) {
    return part == 0 ? perSecond : part * before.operationsPerSecond();
  }

  /** What a pass without a pace did, with as many operations as arrive. */
  Work arriving(Work work, double rate) {
    if (seconds == 0) {
      return work;
    }
    long operations = Math.max(1, Math.round(rate * seconds));
    Effort effort = Effort.complete(work.effort().threads(), operations);
    return new Work(work.task(), work.round(), work.records(), effort);
  }

  @Override
  public String toString() {
    String pace =
        part == 0
            ? "%.0f operations a second".formatted(perSecond)
            : "%.0f %% of what the store did before".formatted(100 * part);
    return seconds == 0 ? pace : "%s for %.0f s".formatted(pace, seconds);
  }
}
