package dev.varve.scheduler.scheduling;

import dev.varve.common.maintenance.MergeAllocation;
import dev.varve.common.maintenance.MergeProgress;
import dev.varve.common.maintenance.MergeScheduler;
import java.util.Comparator;
import java.util.List;

/**
 * Runs every merge as soon as it arrives (Storage Management in AsterixDB, section 5.2). Where
 * there are fewer threads than merges they take turns, the one that has written least going first,
 * so no merge waits for the end of another; the price is one open output for each. Immutable.
 */
public record ImmediateScheduler() implements MergeScheduler {
  private static final Comparator<MergeProgress> LEAST_WRITTEN =
      Comparator.comparingLong(MergeProgress::writtenBytes)
          .thenComparingLong(MergeProgress::number);

  @Override
  public MergeAllocation allocate(List<MergeProgress> merges) {
    return new MergeAllocation(
        merges.stream().sorted(LEAST_WRITTEN).map(MergeProgress::number).toList());
  }

  @Override
  public String describe() {
    return "immediate";
  }
}
