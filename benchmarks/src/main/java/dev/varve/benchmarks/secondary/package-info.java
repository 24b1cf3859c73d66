/**
 * {@code bench secondary}: the strategies by which a dataset keeps its secondary indexes, side by
 * side (Luo and Carey, Efficient Data Ingestion and Query Processing for LSM-Based Storage Systems,
 * VLDB 2019).
 *
 * <p>May use: {@code benchmarks.index} and what that may, lsm-dataset. Threads: everything is
 * confined to the main thread of a child. Owns and closes: whoever opens a bench closes it. Format:
 * the engine's.
 */
@NullMarked
package dev.varve.benchmarks.secondary;

import org.jspecify.annotations.NullMarked;
