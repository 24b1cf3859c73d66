/**
 * What a real engine did under a policy and a scheduler, as values, and how far the simulator comes
 * out the same when it is told no more than the engine was: sizes, budget and arrivals.
 *
 * <p>May use: {@code component}, {@code merge} and {@code env} of lsm-common, {@code policy},
 * {@code scheduling}, {@code gate} and {@code simulator}. Threads: {@code ShapeRecorder} is
 * thread-safe, the rest is immutable. Owns and closes: nothing; the run is recorded by whoever
 * opens the engine. Format: none.
 */
@NullMarked
package dev.varve.simulator.calibration;

import org.jspecify.annotations.NullMarked;
