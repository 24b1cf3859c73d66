package dev.varve.dataset.partition;

import dev.varve.common.maintenance.StallCause;

/**
 * What keeps writers from beginning.
 *
 * @param cause its kind
 * @param holder who or what is in the way, with its numbers, for people
 * @param index the index that it is about, as {@code LsmIndex.describe} says it; empty when it is
 *     about all indexes of the dataset
 * @param lookNanos after which time a writer looks again, unless it is woken before
 */
record GateObstacle(StallCause cause, String holder, String index, long lookNanos) {
  /** A gate that keeps writers out while there is room is asked so often: nothing else tells. */
  static final long GATE_LOOK_NANOS = 10_000_000;

  /** Whether the gate keeps writers out for a reason of its own. */
  boolean ofGate() {
    return lookNanos == GATE_LOOK_NANOS || cause == StallCause.PACE;
  }
}
