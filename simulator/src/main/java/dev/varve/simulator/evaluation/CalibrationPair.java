package dev.varve.simulator.evaluation;

import dev.varve.scheduler.policy.PolicyText;
import dev.varve.scheduler.scheduling.SchedulerText;
import java.util.List;
import java.util.Set;

/**
 * A policy and a scheduler that the simulator is held against the engine under. Immutable.
 *
 * @param policy as {@code PolicyText} reads it
 * @param scheduler as {@code SchedulerText} reads it
 */
public record CalibrationPair(String policy, String scheduler) {
  private static final String SEPARATOR = "/";

  /**
   * Each policy under one scheduler at least, and each scheduler under tiering and leveling: these
   * two have merges of several levels at a time, which is what schedulers are about. Size-tiered
   * merges are of two, so that a run of this length has as many of them as it can.
   */
  public static final List<CalibrationPair> ALL =
      List.of(
          new CalibrationPair("tiering(3)", "single"),
          new CalibrationPair("tiering(3)", "fair"),
          new CalibrationPair("tiering(3)", "immediate"),
          new CalibrationPair("tiering(3)", "greedy"),
          new CalibrationPair("tiering(3)", "bounded-greedy(8)"),
          new CalibrationPair("leveling(10)", "single"),
          new CalibrationPair("leveling(10)", "fair"),
          new CalibrationPair("leveling(10)", "immediate"),
          new CalibrationPair("leveling(10)", "greedy"),
          new CalibrationPair("leveling(10)", "bounded-greedy(8)"),
          new CalibrationPair("none", "fair"),
          new CalibrationPair("constant(3)", "fair"),
          new CalibrationPair("prefix(8m, 5, 1.2)", "fair"),
          new CalibrationPair("size-tiered(1.2, 2, 2)", "greedy"),
          new CalibrationPair("size-bounded(1.2, 2, 2, 16m)", "fair"),
          new CalibrationPair("binomial(4)", "fair"),
          new CalibrationPair("blsm(10)", "gear(14m)"),
          new CalibrationPair("partitioned-leveling(10, 1600k, 160k)", "fair"));

  /**
   * Policies that keep every flush or rewrite all data again and again: with a tenth of the flushes
   * a run has as many components, or as many merges, as one of the others.
   */
  private static final Set<String> WITH_FEWER_FLUSHES = Set.of("none", "constant", "blsm");

  private static final int FEWER = 10;

  /**
   * Policies that merge two of dozens of small components at a time: they end about twice as many
   * merges a second as any other.
   */
  private static final Set<String> WITH_MOST_MERGES = Set.of("size-tiered", "size-bounded");

  /**
   * Reads {@code POLICY/SCHEDULER}.
   *
   * @throws IllegalArgumentException saying what is wrong and what would be right
   */
  public static CalibrationPair parse(String text) {
    int at = text.indexOf(SEPARATOR);
    if (at < 0) {
      throw new IllegalArgumentException("'" + text + "' is not of the form POLICY/SCHEDULER");
    }
    CalibrationPair pair =
        new CalibrationPair(text.substring(0, at).strip(), text.substring(at + 1).strip());
    PolicyText.parse(pair.policy);
    SchedulerText.parse(pair.scheduler);
    return pair;
  }

  /**
   * Whether a run of it is told from others only without them beside it. Each end of a merge is
   * forced, which takes longer when many engines force; what that costs of the budget is lost.
   */
  boolean runsAlone() {
    return WITH_MOST_MERGES.contains(name());
  }

  private String name() {
    return policy.replaceAll("[(:\\s].*", "");
  }

  /** How small the node is that it runs on. */
  Scale scaleOf(Scale scale) {
    return WITH_FEWER_FLUSHES.contains(name())
        ? new Scale(
            scale.records(),
            scale.recordBytes(),
            Math.max(Scale.LEAST_FLUSHES, scale.flushes() / FEWER),
            scale.budgetBytesPerSecond(),
            scale.seed(),
            scale.stores())
        : scale;
  }

  @Override
  public String toString() {
    return policy + SEPARATOR + scheduler;
  }
}
