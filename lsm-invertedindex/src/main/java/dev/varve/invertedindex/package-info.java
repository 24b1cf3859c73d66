/**
 * Text components as inverted indexes, tokens to documents: in memory for writes, bulk-built on
 * pages for reads; deletions are primary keys in a B+-tree beside them. {@link
 * dev.varve.invertedindex.InvertedFormat} makes an LSM index of them.
 *
 * <p>May use: lsm-common, lsm-btree, and the packages below this one, which do not use it. Threads:
 * the format is immutable, indexes thread-safe, builders and cursors confined to one thread. Owns
 * and closes: nothing; callers close cursors, and the files that disk indexes read. Format:
 * docs/format/inverted.md.
 */
@NullMarked
package dev.varve.invertedindex;

import org.jspecify.annotations.NullMarked;
