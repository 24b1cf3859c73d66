/**
 * The R-tree of a memory component: a concurrent B+-tree over Hilbert keys whose nodes carry
 * bounding boxes (Kamel and Faloutsos, Hilbert R-tree, 1994).
 *
 * <p>May use: {@code geometry}, {@code query}, lsm-btree's arena, and lsm-common's {@code bytes}
 * and {@code index}. Threads: {@link dev.varve.rtree.memory.MemoryRTree} is thread-safe, cursors
 * are confined to one thread. Owns and closes: a tree is heap only, closing a cursor frees nothing.
 * Format: none, nothing here reaches a disk.
 */
@NullMarked
package dev.varve.rtree.memory;

import org.jspecify.annotations.NullMarked;
