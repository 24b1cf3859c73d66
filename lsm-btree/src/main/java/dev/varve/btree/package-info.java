/**
 * Sorted components as B+-trees: in memory for writes, bulk-built on pages for reads. {@link
 * dev.varve.btree.BTreeFormat} makes an LSM index of them, {@link dev.varve.btree.KeyRange} is what
 * it is searched with.
 *
 * <p>May use: lsm-common, and the packages below this one, which do not use it. Threads: formats
 * and ranges are immutable, indexes thread-safe, builders and cursors confined to one thread. Owns
 * and closes: nothing; callers close cursors, and the files that disk trees read. Format:
 * docs/format/btree.md.
 */
@NullMarked
package dev.varve.btree;

import org.jspecify.annotations.NullMarked;
