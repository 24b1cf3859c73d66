/**
 * The I/O budget: how many bytes per second all flushes and merges of a device may write together,
 * whichever engine's they are, whose turn it is, and who has to pause. What is allowed when follows
 * from the bytes and the time passed in.
 *
 * <p>May use: {@code maintenance} and {@code env} of lsm-common. Threads: {@code IoBudget} and
 * {@code DeviceBudgets} are thread-safe, the rest is theirs. Owns and closes: nothing; who joins a
 * device leaves it, and who writes does the waiting. Format: none.
 */
@NullMarked
package dev.varve.scheduler.budget;

import org.jspecify.annotations.NullMarked;
