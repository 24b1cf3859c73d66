package dev.varve.common.maintenance;

import java.util.Optional;

/**
 * What decides whether a write may begin: the worst index of those that it would touch, and the
 * node.
 *
 * @param freeMemoryComponents memory components that can take a writer now, current one included,
 *     in the index that has the fewest
 * @param components disk components against the limit of their index, in the index that is nearest
 *     to it; see {@code MergePolicy.componentLimit}
 * @param memoryBytes bytes in memory components against the budget
 * @param sharedBytes bytes in the memory components of all datasets against the memory that they
 *     share
 * @param logBytes bytes of log that recovery would read against their limit
 * @param failedFlush the failure of the last flush, as text, when none has succeeded since
 */
public record WriteConditions(
    int freeMemoryComponents,
    Usage components,
    Usage memoryBytes,
    Usage sharedBytes,
    Usage logBytes,
    Optional<String> failedFlush) {
  /** Nothing is in the way of a write. */
  public static final WriteConditions CLEAR =
      new WriteConditions(
          1, Usage.UNBOUNDED, Usage.UNBOUNDED, Usage.UNBOUNDED, Usage.UNBOUNDED, Optional.empty());
}
