/**
 * Adapters only: Hyracks' storage interfaces, tuples, operators and errors on one side, the dataset
 * on the other.
 *
 * <p>May use: lsm-dataset and what it exposes, Hyracks. Threads: see each package. Owns and closes:
 * a node owns its storage engine; a cluster owns its nodes. Format: none of its own but the two
 * small JSON files that {@code adapter} and {@code node} describe.
 */
@NullMarked
package dev.varve.hyracks;

import org.jspecify.annotations.NullMarked;
