/**
 * What all engines on a device share. The I/O budget: how many bytes per second their flushes,
 * merges and reclaims may write together, whose turn it is, and who has to pause; what is allowed
 * when follows from the bytes and the time passed in. Disk space: which merges may begin, so that
 * the results of all that have begun fit.
 *
 * <p>May use: {@code maintenance} and {@code env} of lsm-common. Threads: {@code IoBudget}, {@code
 * DeviceBudgets}, {@code DiskSpace} and {@code DeviceSpaces} are thread-safe, the rest is theirs.
 * Owns and closes: nothing; who joins a device leaves it, and who writes does the waiting. Format:
 * none.
 */
@NullMarked
package dev.varve.scheduler.budget;

import org.jspecify.annotations.NullMarked;
