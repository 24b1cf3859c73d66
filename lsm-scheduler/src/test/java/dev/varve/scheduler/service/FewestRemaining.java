package dev.varve.scheduler.service;

import dev.varve.common.maintenance.MergeAllocation;
import dev.varve.common.maintenance.MergeProgress;
import dev.varve.common.maintenance.MergeScheduler;
import java.util.Comparator;
import java.util.List;

/** Runs the one merge with the fewest bytes left, so that others pause. */
record FewestRemaining() implements MergeScheduler {
  @Override
  public MergeAllocation allocate(List<MergeProgress> merges) {
    return new MergeAllocation(
        merges.stream()
            .min(Comparator.comparingLong(MergeProgress::remainingInputBytes))
            .map(MergeProgress::number)
            .stream()
            .toList());
  }

  @Override
  public String describe() {
    return "fewest-remaining";
  }
}
