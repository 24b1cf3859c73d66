package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.measure.Measurement;

/**
 * The constant pace at which the operations of a pass arrive, whether or not the store takes them.
 *
 * @param perSecond operations a second; 0 when the pace is a part
 * @param part of the operations a second that the store itself did before, when none had to wait
 *     for its arrival; 0 when the pace is a number
 */
public record YcsbArrivals(double perSecond, double part) {
  private static final String PERCENT = "%";

  /**
   * Reads a number of operations a second, or a part such as {@code 95%}.
   *
   * @throws IllegalArgumentException when it is neither, or not above 0
   */
  public static YcsbArrivals parse(String text) {
    boolean part = text.endsWith(PERCENT);
    String number = part ? text.substring(0, text.length() - PERCENT.length()) : text;
    try {
      double value = Double.parseDouble(number);
      if (value > 0 && value < Double.POSITIVE_INFINITY) {
        return part ? new YcsbArrivals(0, value / 100) : new YcsbArrivals(value, 0);
      }
    } catch (NumberFormatException e) {
      // It is said below.
    }
    throw new IllegalArgumentException(
        "'" + text + "' is neither operations a second nor a part of the store's own, such as 95%");
  }

  /** Operations a second, after a pass without a pace. */
  double after(Measurement before) {
    return part == 0 ? perSecond : part * before.operationsPerSecond();
  }

  @Override
  public String toString() {
    return part == 0
        ? "%.0f operations a second".formatted(perSecond)
        : "%.0f %% of what the store did before".formatted(100 * part);
  }
}
