package dev.varve.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * When writes arrive: in phases of a constant rate that repeat, or, in a closed system, each as
 * soon as the one before it is done. Immutable.
 *
 * @param phases in this order, and again from the beginning; empty for a closed system
 */
public record Arrivals(List<Phase> phases) {
  /** What may be written, for help texts and messages. */
  public static final String SYNTAX =
      "closed, constant:RATE or burst:RATExSECONDS,RATExSECONDS[,...]";

  /**
   * A time with one rate.
   *
   * @param recordsPerSecond 0 for a pause
   * @param seconds how long, infinite for good
   */
  public record Phase(double recordsPerSecond, double seconds) {
    /** Checks both. */
    public Phase {
      if (!(recordsPerSecond >= 0 && recordsPerSecond < Double.POSITIVE_INFINITY)
          || !(seconds > 0)) {
        throw new IllegalArgumentException(
            "a phase of " + seconds + " s with " + recordsPerSecond + " records/s");
      }
    }
  }

  /** Copies the list. */
  public Arrivals {
    phases = List.copyOf(phases);
  }

  /** As fast as writes are taken. */
  public static Arrivals closed() {
    return new Arrivals(List.of());
  }

  /** One rate for good. */
  public static Arrivals constant(double recordsPerSecond) {
    return new Arrivals(List.of(new Phase(recordsPerSecond, Double.POSITIVE_INFINITY)));
  }

  /**
   * Reads what {@link #SYNTAX} shows.
   *
   * @throws IllegalArgumentException saying what is wrong and what would be right
   */
  public static Arrivals parse(String text) {
    String[] parts = text.strip().toLowerCase(Locale.ROOT).split(":", -1);
    try {
      if (parts[0].equals("closed") && parts.length == 1) {
        return closed();
      }
      if (parts[0].equals("constant") && parts.length == 2) {
        return constant(Double.parseDouble(parts[1]));
      }
      if (parts[0].equals("burst") && parts.length == 2) {
        List<Phase> phases = new ArrayList<>();
        for (String phase : parts[1].split(",", -1)) {
          String[] numbers = phase.split("x", 2);
          phases.add(
              new Phase(
                  Double.parseDouble(numbers[0]),
                  numbers.length < 2 ? Double.POSITIVE_INFINITY : Double.parseDouble(numbers[1])));
        }
        return new Arrivals(phases);
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "arrivals '" + text + "': " + e.getMessage() + "; write " + SYNTAX, e);
    }
    throw new IllegalArgumentException("arrivals '" + text + "'; write " + SYNTAX);
  }

  /** Whether the next write waits for the one before. */
  public boolean isClosed() {
    return phases.isEmpty();
  }

  /** As {@link #parse} reads it. */
  public String describe() {
    if (isClosed()) {
      return "closed";
    }
    if (phases.size() == 1 && phases.get(0).seconds == Double.POSITIVE_INFINITY) {
      return "constant:" + number(phases.get(0).recordsPerSecond);
    }
    StringBuilder text = new StringBuilder("burst:");
    for (Phase phase : phases) {
      text.append(text.charAt(text.length() - 1) == ':' ? "" : ",");
      text.append(number(phase.recordsPerSecond));
      text.append(phase.seconds == Double.POSITIVE_INFINITY ? "" : "x" + number(phase.seconds));
    }
    return text.toString();
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.2f", value);
  }
}
