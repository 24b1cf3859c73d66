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
record GateObstacle(StallCause cause, String holder, String index, long lookNanos) {}
