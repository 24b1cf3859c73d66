package dev.varve.common.merge;

/**
 * Decides which components of an index to merge. Pure: the same shape gives the same decision; no
 * clock, no I/O, no threads, no locks. Immutable.
 */
public interface MergePolicy {
  /** What to do about this shape; never names a component that is merging already. */
  MergeDecision decide(IndexShape shape);

  /** Name and parameters, as options and reports write them: {@code prefix(1073741824, 5)}. */
  String describe();
}
