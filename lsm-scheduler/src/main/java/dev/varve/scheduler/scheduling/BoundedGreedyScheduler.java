package dev.varve.scheduler.scheduling;

import dev.varve.common.maintenance.MergeAllocation;
import dev.varve.common.maintenance.MergeAllocation.Share;
import dev.varve.common.maintenance.MergeProgress;
import dev.varve.common.maintenance.MergeScheduler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Greedy, with a bound on how long a merge may starve: while there are never more than {@code n}
 * merges at a time, each ends before all merges together have written {@code 2n} times its size
 * since it arrived. Over a bandwidth B for merges that is a time of {@code 2n * size / B}.
 *
 * <p>A merge of size s with r bytes left, w bytes after its arrival, is <em>due</em> once {@code w
 * + n r >= 2 n s}: from then on an n-th of the bandwidth is just enough. It gets one part, as does
 * every other due merge, and the one with the fewest bytes left gets n parts less one for every
 * other merge, due or not: so a part is never less than an n-th, and a merge that is due only now
 * and then takes its bytes from the smallest and not from the other due ones. With an n-th of the
 * bandwidth {@code w + n r} does not grow, so it is never above {@code 2 n s} by more than a few
 * batches, and at the end, where r is 0, nor is w. A merge that has not begun is due after {@code w
 * = n s}: up to there the order is that of {@link GreedyScheduler}. With more than n merges a due
 * one gets its equal part at least. Immutable.
 *
 * @param mostMerges the n above, at least 1: more than the levels of the index, for there is at
 *     most one merge for each, or of all indexes together where the scope is the node; larger is
 *     greedier, with a later bound
 * @param scope which merges are in one order
 */
public record BoundedGreedyScheduler(int mostMerges, Scope scope) implements MergeScheduler {
  private static final int LARGEST = 1 << 20;

  /** Checks the parameter. */
  public BoundedGreedyScheduler {
    if (mostMerges < 1 || mostMerges > LARGEST) {
      throw new IllegalArgumentException(
          "bounded-greedy(" + mostMerges + "): not between 1 and " + LARGEST + " merges");
    }
  }

  /** An order for each index by itself. */
  public BoundedGreedyScheduler(int mostMerges) {
    this(mostMerges, Scope.INDEX);
  }

  @Override
  public MergeAllocation allocate(List<MergeProgress> merges) {
    MergeProgress smallest = Collections.min(merges, GreedyScheduler.FEWEST_LEFT);
    List<Share> due = new ArrayList<>();
    for (MergeProgress merge : merges) {
      if (merge.number() != smallest.number() && due(merge)) {
        due.add(new Share(merge.number(), 1));
      }
    }
    List<Share> shares = new ArrayList<>();
    shares.add(new Share(smallest.number(), Math.max(1, mostMerges - (merges.size() - 1))));
    shares.addAll(due);
    return new MergeAllocation(shares);
  }

  /** In doubles, for bytes times merges may not fit a long; a rounding is less than a batch. */
  private boolean due(MergeProgress merge) {
    double read = (double) merge.inputBytes() - merge.remainingInputBytes();
    return merge.allWrittenBytes() >= mostMerges * (merge.inputBytes() + read);
  }

  @Override
  public String describe() {
    return "bounded-greedy(" + mostMerges + SchedulerText.scope(scope) + ")";
  }
}
