package dev.varve.scheduler.scheduling;

import dev.varve.common.maintenance.MergeAllocation;
import dev.varve.common.maintenance.MergeProgress;
import dev.varve.common.maintenance.MergeScheduler;
import java.util.Comparator;
import java.util.List;

/**
 * Gives all bandwidth to the merges with the fewest bytes of input left: the greedy scheduler of On
 * Performance Stability in LSM-based Storage Systems, sections 5.1.4 and 5.1.5. Of a given set of
 * merges with equally many inputs it ends the most in any time (theorem 2 there). A large merge
 * starves while smaller ones keep arriving. By default each index has its own, as in section 7
 * there; of scope {@code NODE} there is one order of all merges of the node, so that it differs
 * from {@link FairScheduler} where each index has only one merge, and bytes count as many times
 * less as the index has {@linkplain MergeProgress#weight weight}. Immutable.
 *
 * @param concurrentMerges the k of the paper, at least 1: how many merges it takes to use the
 *     device up; more of them end later
 * @param scope which merges are in one order
 */
public record GreedyScheduler(int concurrentMerges, Scope scope) implements MergeScheduler {
  /**
   * Fewest bytes left first, for each unit of weight; among equals the one that came first, so that
   * one of them ends.
   */
  static final Comparator<MergeProgress> FEWEST_LEFT =
      Comparator.<MergeProgress>comparingDouble(
              merge -> (double) merge.remainingInputBytes() / merge.weight())
          .thenComparingLong(MergeProgress::number);

  /** Checks the parameter. */
  public GreedyScheduler {
    if (concurrentMerges < 1) {
      throw new IllegalArgumentException(
          "greedy(" + concurrentMerges + "): at least one merge has to run");
    }
  }

  /** An order for each index by itself. */
  public GreedyScheduler(int concurrentMerges) {
    this(concurrentMerges, Scope.INDEX);
  }

  @Override
  public MergeAllocation allocate(List<MergeProgress> merges) {
    return MergeAllocation.equal(
        merges.stream().sorted(FEWEST_LEFT).limit(concurrentMerges).toList());
  }

  @Override
  public String describe() {
    return "greedy(" + concurrentMerges + SchedulerText.scope(scope) + ")";
  }
}
