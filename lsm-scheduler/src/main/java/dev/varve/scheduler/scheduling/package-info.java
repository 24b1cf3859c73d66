/**
 * Merge schedulers: how the bandwidth for merges is shared out now. Each is a pure function of the
 * merges' progress, so that engine and simulator share it unchanged.
 *
 * <p>May use: {@code maintenance} of lsm-common, and {@code policy} for the form of texts. Threads:
 * schedulers are immutable, {@code BandwidthShares} is confined to its owner. Owns and closes:
 * nothing. Format: none; {@link dev.varve.scheduler.scheduling.SchedulerText} is how options write
 * a scheduler down.
 */
@NullMarked
package dev.varve.scheduler.scheduling;

import org.jspecify.annotations.NullMarked;
