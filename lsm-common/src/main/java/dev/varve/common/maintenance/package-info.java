/**
 * Flushes and merges as stepped tasks, and the interfaces of whoever schedules, throttles and holds
 * back: implemented in lsm-scheduler, joined by the storage engine.
 *
 * <p>May use: {@code error}, {@code component}, {@code merge}. Threads: tasks are stepped by one
 * thread at a time; everything else is thread-safe. Owns and closes: nothing. Format: none.
 */
@NullMarked
package dev.varve.common.maintenance;

import org.jspecify.annotations.NullMarked;
