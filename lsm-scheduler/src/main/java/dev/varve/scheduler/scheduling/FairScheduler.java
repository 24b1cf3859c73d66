package dev.varve.scheduler.scheduling;

import dev.varve.common.maintenance.MergeAllocation;
import dev.varve.common.maintenance.MergeAllocation.Share;
import dev.varve.common.maintenance.MergeProgress;
import dev.varve.common.maintenance.MergeScheduler;
import java.util.List;

/**
 * Gives every merge the same bandwidth from its arrival on, or by the weight of its index where one
 * has more than others: the fair scheduler of On Performance Stability in LSM-based Storage
 * Systems, section 5.1.4, and, since bytes are shared and not only threads, also the immediate one
 * of Storage Management in AsterixDB, section 5.2. No merge starves, so this is the one to measure
 * a sustainable rate with. Immutable.
 */
public record FairScheduler() implements MergeScheduler {
  @Override
  public MergeAllocation allocate(List<MergeProgress> merges) {
    return new MergeAllocation(
        merges.stream().map(merge -> new Share(merge.number(), merge.weight())).toList());
  }

  @Override
  public String describe() {
    return "fair";
  }
}
