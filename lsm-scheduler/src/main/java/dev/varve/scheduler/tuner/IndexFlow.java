package dev.varve.scheduler.tuner;

import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergePolicy;

/**
 * What waits in one index at the end of a window.
 *
 * @param name for people
 * @param level0Components with levels cut by key range, the components of level 0; else all that
 *     count against the index's component limit
 * @param level0Limit at how many of them writers stop; {@link Integer#MAX_VALUE} for never
 * @param pendingBytes what merges must read until every level is within its size, see {@link
 *     MergeDebt}
 * @param obsoleteBytes what versions that were replaced or deleted take, estimated
 * @param bytes all of the index on disk
 */
public record IndexFlow(
    String name,
    int level0Components,
    int level0Limit,
    long pendingBytes,
    long obsoleteBytes,
    long bytes) {
  /**
   * What waits in an index.
   *
   * @param policy what decides its merges
   * @param shape its components; what newer ones than the largest replace of that one is taken for
   *     obsolete, which is the most that can be
   */
  public static IndexFlow of(String name, MergePolicy policy, IndexShape shape) {
    long bytes = shape.components().stream().mapToLong(ComponentStats::bytes).sum();
    long largest = shape.components().stream().mapToLong(ComponentStats::bytes).max().orElse(0);
    return new IndexFlow(
        name,
        policy.limitedComponents(shape),
        policy.componentLimit(shape),
        MergeDebt.pendingBytes(policy, shape),
        Math.min(largest, bytes - largest),
        bytes);
  }

  /** Checks the signs. */
  public IndexFlow {
    if (level0Components < 0
        || level0Limit < 1
        || pendingBytes < 0
        || obsoleteBytes < 0
        || bytes < 0) {
      throw new IllegalArgumentException(
          "index %s: %d components of %d, %d bytes pending, %d obsolete of %d"
              .formatted(name, level0Components, level0Limit, pendingBytes, obsoleteBytes, bytes));
    }
  }
}
