/**
 * The concurrent B+-tree of a memory component: entries encoded in an arena, nodes that hold key
 * heads and arena addresses, and optimistic lock coupling between them (Leis and others, The ART of
 * Practical Synchronization, 2016).
 *
 * <p>May use: {@code bound}, and lsm-common's {@code bytes} and {@code index}. Threads: {@link
 * dev.varve.btree.memory.MemoryTree} is thread-safe, cursors are confined to one thread. Owns and
 * closes: a tree is heap only, closing a cursor frees nothing. Format: none, nothing here reaches a
 * disk.
 */
@NullMarked
package dev.varve.btree.memory;

import org.jspecify.annotations.NullMarked;
