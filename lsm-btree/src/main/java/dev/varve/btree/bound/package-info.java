/**
 * Where a range of keys begins or ends, as a value that both trees understand.
 *
 * <p>May use: {@code dev.varve.common.bytes}. Threads: immutable. Owns and closes: nothing. Format:
 * none.
 */
@NullMarked
package dev.varve.btree.bound;

import org.jspecify.annotations.NullMarked;
