/**
 * Record-level transactions over a log: which are active, what each has logged, and how it is
 * undone.
 *
 * <p>May use: {@code error}, {@code bytes}, {@code env} of lsm-common, and {@code log}. Threads:
 * {@link dev.varve.transaction.TransactionTable} is thread-safe; a {@link
 * dev.varve.transaction.Transaction} is used by one thread at a time. Owns and closes: the opener
 * of a transaction closes it. Format: docs/format/log.md.
 */
@NullMarked
package dev.varve.transaction;

import org.jspecify.annotations.NullMarked;
