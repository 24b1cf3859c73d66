/**
 * The two-phase evaluation of On Performance Stability in LSM-based Storage Systems on the real
 * engine, scaled down: how much it takes in a closed system, and what writers meet when a large
 * part of that arrives whether or not it can be taken.
 *
 * <p>May use: {@code simulator.evaluation}, {@code report}, {@code measure} for latencies, and what
 * is below them. Threads: everything is confined to the main thread, but for ending a child. Owns
 * and closes: a process for each phase, and its files. Format: what {@code --json} prints is {@code
 * TwoPhaseResults}.
 */
@NullMarked
package dev.varve.benchmarks.sustainable;

import org.jspecify.annotations.NullMarked;
