package dev.varve.benchmarks.measure;

/**
 * How long the phases of a comparison take.
 *
 * @param windowSeconds a round of a short phase
 * @param rounds how many of them each store has, in turn with the others
 * @param capSeconds when a load or another change ends at the latest
 */
public record Pace(double windowSeconds, int rounds, double capSeconds) {
  /** The pace of a run whose figures count. */
  public static final Pace DEFAULT = new Pace(1, 3, 40);

  /** Rounds that are shorter and more by so much. */
  public Pace finer(int parts) {
    return new Pace(windowSeconds / parts, parts * rounds, capSeconds);
  }
}
