package dev.varve.report;

import java.util.Locale;

/** Numbers as people read them. Thread-safe: no state. */
public final class Figures {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Figures() {}

  /** A whole number with separators: {@code 1,234,567}. */
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A number with separators and one decimal place: {@code 1,234.5}. */
  public static String decimal(double number) {
    return String.format(Locale.ROOT, "%,.1f", number);
  }

  /** Seconds: {@code 12.34 s}. */
  public static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%,.2f s", seconds);
  }

  /** Bytes in the largest unit that leaves a digit before the point: {@code 1.5 MiB}. */
  public static String bytes(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    int unit = (63 - Long.numberOfLeadingZeros(bytes)) / 10;
    return String.format(Locale.ROOT, "%.1f %s", bytes / (double) (1L << (10 * unit)), UNITS[unit]);
  }
}
