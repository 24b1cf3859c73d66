/**
 * What an embedder says of an engine and of a store.
 *
 * <p>May use: {@code kind}, {@code model}, and the option records of the modules below. Threads:
 * everything is immutable; a builder is confined to its owner. Owns and closes: nothing. Format:
 * none.
 */
@NullMarked
package dev.varve.dataset.options;

import org.jspecify.annotations.NullMarked;
