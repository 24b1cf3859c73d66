package dev.varve.common.merge;

/**
 * Decides what to merge in an index whose levels are partitioned by key range. Pure: the same shape
 * gives the same decision; no clock, no I/O, no threads, no locks. Immutable.
 */
public interface PartitionedPolicy {
  /** What {@link #flushedLimit} says when writers never wait for merges. */
  int UNLIMITED = MergePolicy.UNLIMITED;

  /** What to do about this shape; never names a component that is merging already. */
  PartitionedDecision decide(PartitionedShape shape);

  /** The number of flushed components at which writers have to wait for merges. */
  int flushedLimit();

  /** The size at which a merge begins a new component. */
  long componentBytes();

  /**
   * A merge begins a new component, too, when the one that it makes overlaps more bytes of the
   * level after its own than this: otherwise a component of few entries could reach over many of
   * that level, and all of them would have to be rewritten for it one day.
   */
  long overlapBytes();

  /** Name and parameters, as options and reports write them. Equal descriptions decide alike. */
  String describe();
}
