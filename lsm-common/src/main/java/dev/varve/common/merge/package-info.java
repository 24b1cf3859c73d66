/**
 * What a merge policy sees and says: the shape of an index as values in, a decision as a value out.
 * Policies live in lsm-scheduler. Two kinds: {@code MergePolicy} for components that hold any key,
 * {@code PartitionedPolicy} for levels whose components hold a range of the keys each.
 *
 * <p>May use: {@code component} and {@code bytes}. Threads: everything is immutable. Owns and
 * closes: nothing. Format: none.
 */
@NullMarked
package dev.varve.common.merge;

import org.jspecify.annotations.NullMarked;
