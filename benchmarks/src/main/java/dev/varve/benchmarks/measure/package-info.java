/**
 * What is measured of any store: how long operations took and what the process spent for them, the
 * outcome of a phase, and where it ran.
 *
 * <p>May use: the seams of lsm-common's {@code env}, HdrHistogram, Jackson's annotations. Threads:
 * records are immutable. Owns and closes: nothing. Format: {@code --json} prints these records.
 */
@NullMarked
package dev.varve.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
