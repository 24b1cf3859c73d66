/**
 * {@code bench adoc}: tuners side by side on one engine each, under the workloads of ADOC's
 * evaluation, scaled down, and what its paper prints beside what came out.
 *
 * <p>May use: {@code benchmarks.child}, {@code measure}, {@code report}, {@code store}, YCSB's
 * generators, the simulator's devices, and {@code lsm-dataset}. Threads: the runner is confined to
 * the main thread; in a child a thread writes and another may read. Owns and closes: the children,
 * their engines and directories. Format: none of its own.
 */
@NullMarked
package dev.varve.benchmarks.adoc;

import org.jspecify.annotations.NullMarked;
