/**
 * The inverted index of a memory component: a hash table of tokens with chains of document
 * ordinals, written under a lock and read without one.
 *
 * <p>May use: {@code token}, {@code query}, {@code postings}, and lsm-common's {@code bytes} and
 * {@code index}. Threads: {@link dev.varve.invertedindex.memory.MemoryInvertedIndex} is
 * thread-safe, cursors are confined to one thread. Owns and closes: an index is heap only, closing
 * a cursor frees nothing. Format: none, nothing here reaches a disk.
 */
@NullMarked
package dev.varve.invertedindex.memory;

import org.jspecify.annotations.NullMarked;
