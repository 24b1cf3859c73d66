/**
 * Adapters only: Hyracks' storage interfaces, tuples, operators and errors on one side, the dataset
 * on the other.
 */
@org.jspecify.annotations.NullMarked
package dev.varve.hyracks;
