package dev.varve.scheduler.scheduling;

import dev.varve.common.maintenance.MergeAllocation;
import dev.varve.common.maintenance.MergeProgress;
import dev.varve.common.maintenance.MergeScheduler;
import java.util.Comparator;
import java.util.List;

/**
 * Runs merges in the order of their arrival, a fixed number at a time; with one at a time it is the
 * single-threaded scheduler of On Performance Stability in LSM-based Storage Systems. A long merge
 * holds short ones back for its whole length. Immutable.
 *
 * @param concurrentMerges how many may run at a time, at least 1; more of them need more temporary
 *     space and let short merges overtake long ones
 */
public record ArrivalScheduler(int concurrentMerges) implements MergeScheduler {
  /** Checks the parameter. */
  public ArrivalScheduler {
    if (concurrentMerges < 1) {
      throw new IllegalArgumentException(
          "arrival(" + concurrentMerges + "): at least one merge has to run");
    }
  }

  /** One merge at a time. */
  public static ArrivalScheduler single() {
    return new ArrivalScheduler(1);
  }

  @Override
  public MergeAllocation allocate(List<MergeProgress> merges) {
    return MergeAllocation.equal(
        merges.stream()
            .sorted(Comparator.comparingLong(MergeProgress::number))
            .limit(concurrentMerges)
            .toList());
  }

  @Override
  public String describe() {
    return concurrentMerges == 1 ? "single" : "arrival(" + concurrentMerges + ")";
  }
}
