/**
 * {@code bench secondary}: the strategies by which a dataset keeps its secondary indexes, side by
 * side (Luo and Carey, Efficient Data Ingestion and Query Processing for LSM-Based Storage Systems,
 * VLDB 2019); and {@code reproduce fig25} to {@code fig29}: two of them beside writes that arrive
 * at a pace (On Performance Stability in LSM-based Storage Systems, section 7).
 *
 * <p>May use: {@code benchmarks.index} and what that may, {@code benchmarks.sustainable} for its
 * verdicts, lsm-dataset. Threads: everything is confined to the main thread of a child, but for
 * writers and queries of a figure. Owns and closes: whoever opens a bench closes it. Format: the
 * engine's.
 */
@NullMarked
package dev.varve.benchmarks.secondary;

import org.jspecify.annotations.NullMarked;
