/**
 * The write gate: whether a write may begin, decided before it holds a lock or log space, and the
 * record of everybody who had to wait, with cause, beginning and end.
 *
 * <p>May use: {@code env}, {@code merge} and {@code maintenance} of lsm-common, and {@code policy}.
 * Threads: decisions are pure values; {@code StallRecorder} is thread-safe. Owns and closes:
 * nothing; the engine waits. Format: none; {@code GateText} is how options write a gate down.
 */
@NullMarked
package dev.varve.scheduler.gate;

import org.jspecify.annotations.NullMarked;
