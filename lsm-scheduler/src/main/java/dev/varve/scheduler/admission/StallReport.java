package dev.varve.scheduler.admission;

import java.util.List;
import java.util.Map;

/**
 * All waits of writers up to one moment. The totals of all causes add up to {@code totalNanos}.
 *
 * @param totals what each cause has cost, waits that are not over included
 * @param waits how many times a writer had to wait, whatever the number of causes meanwhile
 * @param totalNanos time that writers spent waiting, from their beginnings to their ends
 * @param open waits that are not over, in the order in which their writers began to wait
 * @param recent the last waits that are over, oldest first; a bounded number
 */
public record StallReport(
    Map<StallCause, Total> totals,
    long waits,
    long totalNanos,
    List<Stall> open,
    List<Stall> recent) {
  /** Copies the collections. */
  public StallReport {
    totals = Map.copyOf(totals);
    open = List.copyOf(open);
    recent = List.copyOf(recent);
  }

  /**
   * A stretch of time in which a writer waited for one cause.
   *
   * @param cause what it waited for
   * @param holder what was in the way when the stretch began
   * @param beginMillis when it began, in milliseconds since 1970
   * @param nanos how long it lasted, or has lasted when it is not over
   */
  public record Stall(StallCause cause, String holder, long beginMillis, long nanos) {}

  /**
   * What one cause has cost.
   *
   * @param stalls how many times a writer began to wait for it
   * @param nanos for how long, all writers added up
   */
  public record Total(long stalls, long nanos) {
    static final Total NONE = new Total(0, 0);
  }
}
