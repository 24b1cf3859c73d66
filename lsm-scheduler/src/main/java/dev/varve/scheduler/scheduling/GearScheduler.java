package dev.varve.scheduler.scheduling;

import dev.varve.common.maintenance.MergeAllocation;
import dev.varve.common.maintenance.MergeProgress;
import dev.varve.common.maintenance.MergeScheduler;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * The gears of bLSM's spring and gear, for one index with the policy {@code blsm}: the merge of a
 * full first level into the second is to be done when the next first level is full, and until then
 * it has to be as far ahead (On Performance Stability in LSM-based Storage Systems, section 2.3:
 * <em>out</em> of a level keeps pace with <em>in</em>). The merges of flushes into the first level
 * have the bandwidth while that holds, the large one has it when it is behind.
 *
 * <p>The merge with the smallest input is taken for the one into the first level; its input is what
 * that level will hold, so <em>in</em> is its part of a full level. Immutable.
 *
 * @param levelBytes size of a full first level, at least 1
 */
public record GearScheduler(long levelBytes) implements MergeScheduler {
  private static final Comparator<MergeProgress> SMALLEST =
      Comparator.comparingLong(MergeProgress::inputBytes).thenComparingLong(MergeProgress::number);

  /** Checks the parameter. */
  public GearScheduler {
    if (levelBytes < 1) {
      throw new IllegalArgumentException("gear(" + levelBytes + "): a level of at least one byte");
    }
  }

  @Override
  public MergeAllocation allocate(List<MergeProgress> merges) {
    MergeProgress first = Collections.min(merges, SMALLEST);
    double in = Math.min(1, (double) first.inputBytes() / levelBytes);
    List<MergeProgress> behind =
        merges.stream()
            .filter(merge -> merge.number() != first.number() && progress(merge) < in)
            .toList();
    return MergeAllocation.equal(behind.isEmpty() ? List.of(first) : behind);
  }

  private static double progress(MergeProgress merge) {
    return merge.inputBytes() == 0
        ? 1
        : 1 - (double) merge.remainingInputBytes() / merge.inputBytes();
  }

  @Override
  public Scope scope() {
    return Scope.INDEX;
  }

  @Override
  public String describe() {
    return "gear(" + levelBytes + ")";
  }
}
