/**
 * Flushes and merges as stepped tasks, and the interface of what schedules them, which
 * lsm-scheduler implements. Schedulers see values and return values.
 *
 * <p>May use: {@code error}, {@code component}, {@code merge}. Threads: tasks are stepped by one
 * thread at a time; everything else is thread-safe. Owns and closes: nothing. Format: none.
 */
@NullMarked
package dev.varve.common.maintenance;

import org.jspecify.annotations.NullMarked;
