/**
 * The R-tree of a disk component: bulk-loaded in Hilbert order, leaf by leaf, then read only.
 *
 * <p>May use: {@code geometry}, {@code query}, and lsm-common's {@code error}, {@code bytes},
 * {@code page} and {@code index}. Threads: {@link dev.varve.rtree.disk.DiskRTree} is immutable and
 * thread-safe, {@link dev.varve.rtree.disk.RTreeBuilder} and cursors are confined to one thread.
 * Owns and closes: a tree does not own its file; a cursor has at most one page pinned, which
 * closing it unpins. Format: docs/format/rtree.md.
 */
@NullMarked
package dev.varve.rtree.disk;

import org.jspecify.annotations.NullMarked;
