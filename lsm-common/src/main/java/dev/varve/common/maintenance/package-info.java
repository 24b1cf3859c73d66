/**
 * Flushes and merges as stepped tasks, and the interfaces of whoever schedules them and holds
 * writers back: implemented in lsm-scheduler, joined by the storage engine. Schedulers and gates
 * see values and return values.
 *
 * <p>May use: {@code error}, {@code component}, {@code merge}. Threads: tasks are stepped by one
 * thread at a time; everything else is thread-safe. Owns and closes: nothing. Format: none.
 */
@NullMarked
package dev.varve.common.maintenance;

import org.jspecify.annotations.NullMarked;
