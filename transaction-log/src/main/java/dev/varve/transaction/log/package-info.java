/**
 * The node's log: records in one stream of bytes over mapped segments, group commit, and a cursor
 * that reads the stream back and finds where it ends.
 *
 * <p>May use: {@code error}, {@code bytes}, {@code env} of lsm-common. Threads: {@link
 * dev.varve.transaction.log.TransactionLog} is thread-safe; cursors, records and updates are
 * confined to the caller. Owns and closes: the log owns its segments and its two workers; the
 * opener of a log or a cursor closes it. Format: docs/format/log.md.
 */
@NullMarked
package dev.varve.transaction.log;

import org.jspecify.annotations.NullMarked;
