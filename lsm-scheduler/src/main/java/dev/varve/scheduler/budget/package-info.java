/**
 * The I/O budget: how many bytes per second all flushes and merges of a device may write together,
 * and who has to pause for it. What is allowed when is a pure step over the time passed in.
 *
 * <p>May use: {@code maintenance} of lsm-common. Threads: {@code IoBudget} is thread-safe, the rest
 * is immutable. Owns and closes: nothing; who writes does the waiting. Format: none.
 */
@NullMarked
package dev.varve.scheduler.budget;

import org.jspecify.annotations.NullMarked;
