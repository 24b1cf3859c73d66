/**
 * What inverted indexes are asked, and how a record's text is checked against the question.
 *
 * <p>May use: {@code token}, and lsm-common's {@code error} and {@code bytes}. Threads: queries and
 * predicates are immutable and thread-safe. Owns and closes: nothing. Format: none, nothing here
 * reaches a disk.
 */
@NullMarked
package dev.varve.invertedindex.query;

import org.jspecify.annotations.NullMarked;
