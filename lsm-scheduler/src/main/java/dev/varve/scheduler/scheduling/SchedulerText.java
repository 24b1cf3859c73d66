package dev.varve.scheduler.scheduling;

import dev.varve.common.maintenance.MergeScheduler;
import dev.varve.scheduler.policy.TextForm;
import java.util.List;

/**
 * Schedulers as options write them down: {@code single}, {@code fair}, {@code greedy(1)}. What
 * {@link MergeScheduler#describe} prints is read back to an equal scheduler. Stateless.
 */
public final class SchedulerText {
  /** What may be written, for help texts and messages. */
  public static final List<String> FORMS =
      List.of(
          "single",
          "arrival(MERGES)",
          "fair",
          "immediate",
          "greedy[(MERGES)]",
          "bounded-greedy(MERGES)",
          "gear(LEVEL_BYTES)");

  private SchedulerText() {}

  /**
   * Reads a scheduler.
   *
   * @throws IllegalArgumentException saying what is wrong and what would be right
   */
  public static MergeScheduler parse(String text) {
    return TextForm.read(
        text, "merge scheduler", String.join(" | ", FORMS), form -> build(form.withoutLimit()));
  }

  private static MergeScheduler build(TextForm form) {
    switch (form.name()) {
      case "single":
        form.checkCount(0, 0);
        return ArrivalScheduler.single();
      case "arrival":
        form.checkCount(1, 1);
        return new ArrivalScheduler(form.integer(0));
      case "fair":
      case "immediate":
        form.checkCount(0, 0);
        return new FairScheduler();
      case "greedy":
        form.checkCount(0, 1);
        return new GreedyScheduler(form.has(0) ? form.integer(0) : 1);
      case "bounded-greedy":
        form.checkCount(1, 1);
        return new BoundedGreedyScheduler(form.integer(0));
      case "gear":
        form.checkCount(1, 1);
        return new GearScheduler(form.bytes(0));
      default:
        throw new IllegalArgumentException("there is no scheduler '" + form.name() + "'");
    }
  }
}
