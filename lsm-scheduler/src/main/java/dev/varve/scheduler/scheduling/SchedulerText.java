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
          "greedy[(MERGES[, node])]",
          "bounded-greedy(MERGES[, node])",
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
        form.checkCount(0, 2);
        return new GreedyScheduler(form.has(0) ? form.integer(0) : 1, scope(form));
      case "bounded-greedy":
        form.checkCount(1, 2);
        return new BoundedGreedyScheduler(form.integer(0), scope(form));
      case "gear":
        form.checkCount(1, 1);
        return new GearScheduler(form.bytes(0));
      default:
        throw new IllegalArgumentException("there is no scheduler '" + form.name() + "'");
    }
  }

  private static MergeScheduler.Scope scope(TextForm form) {
    if (!form.has(1)) {
      return MergeScheduler.Scope.INDEX;
    }
    if (!form.parameters().get(1).equals("node")) {
      throw new IllegalArgumentException("there is no scope '" + form.parameters().get(1) + "'");
    }
    return MergeScheduler.Scope.NODE;
  }

  /** What follows a number of merges. */
  static String scope(MergeScheduler.Scope scope) {
    return switch (scope) {
      case NODE -> ", node";
      case INDEX -> "";
    };
  }
}
