/**
 * What is measured of any store: how long operations took and what the process spent for them, the
 * outcome of a phase, and where it ran; and the threads that do the operations.
 *
 * <p>May use: {@code benchmarks.child} for its exception, the seams of lsm-common's {@code env},
 * HdrHistogram, Jackson's annotations. Threads: records are immutable, a crew starts a thread for
 * each of its works. Owns and closes: the threads of a crew. Format: {@code --json} prints these
 * records.
 */
@NullMarked
package dev.varve.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
