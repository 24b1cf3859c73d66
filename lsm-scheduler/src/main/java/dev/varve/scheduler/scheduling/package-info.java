/**
 * Merge schedulers: which merges of a node may run now, and in which order. Each is a pure function
 * of the merges' progress, so that engine and simulator share it unchanged.
 *
 * <p>May use: {@code maintenance} of lsm-common. Threads: everything is immutable. Owns and closes:
 * nothing. Format: none.
 */
@NullMarked
package dev.varve.scheduler.scheduling;

import org.jspecify.annotations.NullMarked;
