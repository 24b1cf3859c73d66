/**
 * The checkpoint: one small file that says from where the log must be read and how the engine was
 * left.
 *
 * <p>May use: {@code error}, {@code bytes}, {@code env} of lsm-common, and {@code log}. Threads: a
 * checkpoint is immutable; one thread at a time writes the file. Owns and closes: nothing stays
 * open. Format: docs/format/checkpoint.md.
 */
@NullMarked
package dev.varve.transaction.checkpoint;

import org.jspecify.annotations.NullMarked;
