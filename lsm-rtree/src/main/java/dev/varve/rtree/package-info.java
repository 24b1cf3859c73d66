/**
 * Spatial components as R-trees in Hilbert order: in memory for writes, bulk-built on pages for
 * reads; deletions are antimatter, never in place. {@link dev.varve.rtree.RTreeFormat} makes an LSM
 * index of them.
 *
 * <p>May use: lsm-common, lsm-btree, and the packages below this one, which do not use it. Threads:
 * the format is immutable, indexes thread-safe, builders and cursors confined to one thread. Owns
 * and closes: nothing; callers close cursors, and the files that disk trees read. Format:
 * docs/format/rtree.md.
 */
@NullMarked
package dev.varve.rtree;

import org.jspecify.annotations.NullMarked;
