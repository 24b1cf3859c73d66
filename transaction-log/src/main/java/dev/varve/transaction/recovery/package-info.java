/**
 * Crash recovery: an analysis of the log that changes nothing and yields a plan, and a redo of
 * committed operations into whatever {@link dev.varve.transaction.recovery.RedoTarget} the caller
 * has. There is no undo, since nothing uncommitted ever reaches a component.
 *
 * <p>May use: {@code error}, {@code bytes}, {@code env} of lsm-common, {@code log} and {@code
 * checkpoint}. Threads: confined to the thread that opens the engine. Owns and closes: nothing
 * stays open; the caller closes the log that {@code openLog} returns. Format: docs/format/log.md.
 */
@NullMarked
package dev.varve.transaction.recovery;

import org.jspecify.annotations.NullMarked;
