/**
 * The inverted index of a disk component: a table of documents, a dictionary of tokens, and
 * postings, built in one pass from sorted entries, then read only.
 *
 * <p>May use: {@code token}, {@code query}, {@code postings}, lsm-btree's trees on pages, and
 * lsm-common's {@code error}, {@code bytes}, {@code page} and {@code index}. Threads: {@link
 * dev.varve.invertedindex.disk.DiskInvertedIndex} is immutable and thread-safe, builders and
 * cursors are confined to one thread. Owns and closes: an index does not own its file; a cursor has
 * at most one page pinned, which closing it unpins. Format: docs/format/inverted.md.
 */
@NullMarked
package dev.varve.invertedindex.disk;

import org.jspecify.annotations.NullMarked;
