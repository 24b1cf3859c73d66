/**
 * One partition of a dataset: a primary LSM index and its secondaries, changed in record-level
 * transactions that keep them in agreement (Storage Management in AsterixDB, section 4).
 *
 * <p>May use: {@code kind}, {@code options}, {@code catalog} and the modules below. Threads: a
 * partition is thread-safe; sessions, transactions, cursors and loaders are confined to one thread.
 * Owns and closes: a partition owns its indexes; whoever opens a session, transaction, cursor or
 * loader closes it. Format: component files, and log records per index operation.
 */
@NullMarked
package dev.varve.dataset.internal.partition;

import org.jspecify.annotations.NullMarked;
