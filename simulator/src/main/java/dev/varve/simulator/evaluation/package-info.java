/**
 * Scaled-down nodes of the real engine under a steady load, recorded for comparisons: with the
 * simulator, and of policies and schedulers with each other.
 *
 * <p>May use: {@code calibration}, {@code simulator}, lsm-dataset and what is below it. Threads: a
 * node is confined to its caller, who is its only writer. Owns and closes: each run opens its
 * engine and closes it. Format: none of its own; the directory is the engine's.
 */
@NullMarked
package dev.varve.simulator.evaluation;

import org.jspecify.annotations.NullMarked;
