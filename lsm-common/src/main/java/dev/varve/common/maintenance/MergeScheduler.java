package dev.varve.common.maintenance;

import java.util.List;

/**
 * Shares out the bandwidth for merges of a node. Pure: the same merges give the same allocation; no
 * clock, no I/O, no threads, no locks. Immutable.
 *
 * <p>It is asked again whenever a merge arrives or ends and after every batch that one wrote, so a
 * merge that an allocation leaves out pauses at its next batch and goes on once it is named again.
 * Running merges one by one, sharing bytes evenly and serving the fewest remaining bytes first are
 * all functions of what {@link MergeProgress} says.
 */
public interface MergeScheduler {
  /** Which merges a scheduler sees together. */
  enum Scope {
    /** All merges of the node. */
    NODE,
    /** Those of one index; the indexes that have merges share the bandwidth evenly. */
    INDEX
  }

  /**
   * Who may write now, and how much.
   *
   * @param merges all in its scope that wait, run or pause, in the order in which they arrived; not
   *     empty
   */
  MergeAllocation allocate(List<MergeProgress> merges);

  /** Whether it looks at the node as a whole, or at each index by itself. */
  default Scope scope() {
    return Scope.NODE;
  }

  /** Name and parameters, as options and reports write them. */
  String describe();
}
