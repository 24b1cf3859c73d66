/**
 * {@code bench spatial}: spatial indexes with the data of section 6.2 of Storage Management in
 * AsterixDB, behind one small interface, each set up as its users would set it up.
 *
 * <p>May use: {@code benchmarks.index} and what that may, lsm-rtree, Hyracks' storage, Lucene, JTS.
 * Threads: everything is confined to the main thread of a child. Owns and closes: whoever opens a
 * store closes it. Format: each store's own.
 */
@NullMarked
package dev.varve.benchmarks.spatial;

import org.jspecify.annotations.NullMarked;
