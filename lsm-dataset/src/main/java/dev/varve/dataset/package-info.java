/**
 * What a program opens and works with: the engine, its stores, their sessions, transactions and
 * loads, and what they report. A primary index and its secondaries are kept in agreement; the
 * engine is the only place where files, clock, threads and options meet.
 *
 * <p>A program needs this package, {@code options} for what it says of a store, and {@code model}
 * for what goes in and comes out; who writes a kind of index needs {@code kind}. What is below
 * {@code internal} is not exported.
 *
 * <p>May use: every other package of this module and the modules below. Threads: engine, stores and
 * partitions are thread-safe; sessions, transactions, cursors and loaders are confined to one
 * thread. Owns and closes: the engine owns its directory, log, cache, workers and datasets, and
 * closes them in reverse order; callers close sessions, transactions, cursors and loaders before.
 * Format: the directory layout in docs/format/catalog.md.
 */
@NullMarked
package dev.varve.dataset;

import org.jspecify.annotations.NullMarked;
