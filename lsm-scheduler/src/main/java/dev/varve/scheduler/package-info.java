/**
 * Who may write, flush and merge now, and which components merge: policies, schedulers, budget,
 * write admission. The root holds no code.
 *
 * <p>May use: lsm-common. Threads: none here; each package says its own. Owns and closes: nothing.
 * Format: none.
 */
@org.jspecify.annotations.NullMarked
package dev.varve.scheduler;
