/**
 * The checked exceptions of the engine: one small sealed family, each member named after what the
 * caller can do about it.
 *
 * <p>May use: the JDK only. Threads: exceptions are immutable. Owns and closes: nothing. Format:
 * none.
 */
@NullMarked
package dev.varve.common.error;

import org.jspecify.annotations.NullMarked;
