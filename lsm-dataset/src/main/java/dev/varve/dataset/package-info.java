/**
 * A primary index and its secondaries kept in agreement, and one engine that wires every part.
 *
 * <p>May use: every module below. Threads: {@code engine.StorageEngine}, datasets and partitions
 * are thread-safe; sessions, transactions, cursors and loaders are confined to one thread. Owns and
 * closes: the engine owns everything under its directory; callers close sessions, transactions,
 * cursors and loaders before the engine. Format: docs/format/catalog.md.
 */
@NullMarked
package dev.varve.dataset;

import org.jspecify.annotations.NullMarked;
