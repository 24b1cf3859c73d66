/**
 * What a merge policy sees and says: the shape of an index as values in, a decision as a value out.
 * Policies live in lsm-scheduler.
 *
 * <p>May use: {@code component}. Threads: everything is immutable. Owns and closes: nothing.
 * Format: none.
 */
@NullMarked
package dev.varve.common.merge;

import org.jspecify.annotations.NullMarked;
