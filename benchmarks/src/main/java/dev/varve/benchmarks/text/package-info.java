/**
 * {@code bench text}: inverted indexes of words and of 3-grams with synthetic tweets, behind one
 * small interface, each set up as its users would set it up.
 *
 * <p>May use: {@code benchmarks.index} and what that may, lsm-invertedindex, Hyracks' storage,
 * Lucene. Threads: everything is confined to the main thread of a child. Owns and closes: whoever
 * opens a store closes it. Format: each store's own.
 */
@NullMarked
package dev.varve.benchmarks.text;

import org.jspecify.annotations.NullMarked;
