/**
 * Comparisons of secondary indexes: what spatial and text indexes have in common when they are
 * compared. A store of each runs in a child of its own, the parent goes through the phases store by
 * store, and stores that hold the same data must find the same.
 *
 * <p>May use: {@code benchmarks.child}, {@code benchmarks.measure}, {@code benchmarks.report},
 * {@code benchmarks.store}, the kernel and the scheduler of the product, Lucene, Hyracks' storage.
 * Threads: the runner is confined to the main thread, a bench to the main thread of its child. Owns
 * and closes: the children. Format: none of its own.
 */
@NullMarked
package dev.varve.benchmarks.index;

import org.jspecify.annotations.NullMarked;
