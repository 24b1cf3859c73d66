/**
 * The B+-tree of a disk component: bulk-loaded leaf by leaf, then read only.
 *
 * <p>May use: {@code bound}, and lsm-common's {@code error}, {@code bytes}, {@code page} and {@code
 * index}. Threads: {@link dev.varve.btree.disk.DiskTree} is immutable and thread-safe, {@link
 * dev.varve.btree.disk.TreeBuilder} and cursors are confined to one thread. Owns and closes: a tree
 * does not own its file; a cursor has at most one page pinned, which closing it unpins. Format:
 * docs/format/btree.md.
 */
@NullMarked
package dev.varve.btree.disk;

import org.jspecify.annotations.NullMarked;
