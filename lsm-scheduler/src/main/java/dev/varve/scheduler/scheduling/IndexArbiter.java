package dev.varve.scheduler.scheduling;

import dev.varve.common.maintenance.MergeAllocation;
import dev.varve.common.maintenance.MergeAllocation.Share;
import dev.varve.common.maintenance.MergeProgress;
import dev.varve.common.maintenance.MergeScheduler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The node's arbiter between indexes: asks a scheduler for an allocation over the merges that it is
 * to see together, and joins the answers. A scheduler of scope {@code INDEX} is asked for each
 * index by itself, as if it were alone, and every index that has merges gets a part of the
 * bandwidth by its weight, whatever the number of its merges: writers of one index do not wait
 * longer because another has more to merge. Pure; no state.
 */
public final class IndexArbiter {
  /**
   * What the shares of an index of weight 1 add up to, but for rounding: large, so that rounding is
   * small.
   */
  private static final double PART = 1 << 20;

  /** So much more than others get those who go first. */
  private static final long FIRST = 1 << 10;

  private IndexArbiter() {}

  /**
   * Who may write now, and how much.
   *
   * @param merges the merges of each index that has some, in the order in which they arrived; at
   *     least one index
   */
  public static MergeAllocation allocate(
      MergeScheduler scheduler, Collection<List<MergeProgress>> merges) {
    return switch (scheduler.scope()) {
      case NODE ->
          scheduler.allocate(
              merges.stream()
                  .flatMap(List::stream)
                  .sorted(Comparator.comparingLong(MergeProgress::number))
                  .toList());
      case INDEX -> evenly(scheduler, merges);
    };
  }

  /**
   * One allocation before another: as many of the first as there are threads, and of the others
   * those that threads are left for.
   *
   * @param threads how many merges run at a time, at least 1
   */
  public static MergeAllocation before(MergeAllocation first, MergeAllocation others, int threads) {
    assert threads > 0 : threads;
    if (first.shares().isEmpty()) {
      return others;
    }
    if (first.shares().size() >= threads) {
      return first;
    }
    List<Share> shares = new ArrayList<>();
    for (Share share : first.shares()) {
      shares.add(
          new Share(share.number(), (int) Math.min(Integer.MAX_VALUE, FIRST * share.weight())));
    }
    shares.addAll(others.shares());
    return new MergeAllocation(shares);
  }

  private static MergeAllocation evenly(
      MergeScheduler scheduler, Collection<List<MergeProgress>> merges) {
    if (merges.size() == 1) {
      return scheduler.allocate(merges.iterator().next());
    }
    List<Share> shares = new ArrayList<>();
    for (List<MergeProgress> ofIndex : merges) {
      MergeAllocation allocation = scheduler.allocate(ofIndex);
      double scale = PART * ofIndex.get(0).weight() / allocation.totalWeight();
      for (Share share : allocation.shares()) {
        shares.add(
            new Share(share.number(), (int) Math.max(1, Math.round(share.weight() * scale))));
      }
    }
    return new MergeAllocation(shares);
  }
}
