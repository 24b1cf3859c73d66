/**
 * {@code reproduce}: the experiments with spatial indexes of section 6.2 of Storage Management in
 * AsterixDB, at a scale that a small machine holds: the LSM R-trees of the product in both forms
 * against an R-tree that is changed in place, with the numbers that the paper prints beside ours.
 *
 * <p>May use: {@code benchmarks.index}, {@code benchmarks.spatial} and what those may. Threads:
 * confined to the main thread, of the parent or of a child. Owns and closes: the stores. Format:
 * the reports'.
 */
@NullMarked
package dev.varve.benchmarks.reproduce;

import org.jspecify.annotations.NullMarked;
