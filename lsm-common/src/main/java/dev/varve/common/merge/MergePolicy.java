package dev.varve.common.merge;

import java.util.Optional;

/**
 * Decides which components of an index to merge. Pure: the same shape gives the same decision; no
 * clock, no I/O, no threads, no locks. Immutable.
 */
public interface MergePolicy {
  /** What {@link #componentLimit} says when writers never wait for merges. */
  int UNLIMITED = Integer.MAX_VALUE;

  /** What to do about this shape; never names a component that is merging already. */
  MergeDecision decide(IndexShape shape);

  /**
   * The number of {@linkplain #limitedComponents limited components} at which writers have to wait
   * for merges; by default of a policy, twice the number that it expects to see in an index of this
   * size.
   */
  default int componentLimit(IndexShape shape) {
    return UNLIMITED;
  }

  /** How many components of the shape count against {@link #componentLimit}. */
  default int limitedComponents(IndexShape shape) {
    return shape.components().size();
  }

  /**
   * Whether it asks how many entries of a component supersede older ones; where it does not, nobody
   * counts them.
   */
  default boolean boundsSpace() {
    return false;
  }

  /**
   * What decides instead in an index whose components can be cut by key range; empty for a policy
   * of whole components.
   */
  default Optional<PartitionedPolicy> partitioned() {
    return Optional.empty();
  }

  /**
   * What the merges of an index count beside those of other indexes, when a scheduler divides the
   * bandwidth: from 1, as by default, to 1,000.
   */
  default int weight() {
    return 1;
  }

  /**
   * Name and parameters, as options and reports write them: {@code prefix(1073741824, 5)}. Equal
   * descriptions decide alike.
   */
  String describe();
}
