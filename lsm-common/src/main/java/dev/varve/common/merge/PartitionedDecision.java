package dev.varve.common.merge;

import java.util.List;

/** What a policy for partitioned levels wants done now. */
public sealed interface PartitionedDecision {
  /** Nothing to do until the shape changes. */
  record Wait() implements PartitionedDecision {}

  /**
   * Hand a component down as it is: the next level holds no key of its range, so there is nothing
   * to merge and nothing to write but the list of components.
   *
   * @param level where it is
   * @param number which one
   */
  record Move(int level, long number) implements PartitionedDecision {}

  /**
   * Merge components of a level with those of the next level that overlap them; the results belong
   * to the next level.
   *
   * @param level where the inputs are; 0 for flushed components
   * @param inputs at least one, oldest first at level 0 and ascending by key at the others
   * @param overlapped those of the next level, ascending by key
   */
  record Merge(int level, List<Long> inputs, List<Long> overlapped) implements PartitionedDecision {
    /** Copies the lists. */
    public Merge {
      inputs = List.copyOf(inputs);
      overlapped = List.copyOf(overlapped);
      if (inputs.isEmpty()) {
        throw new IllegalArgumentException("a merge without inputs");
      }
    }
  }
}
