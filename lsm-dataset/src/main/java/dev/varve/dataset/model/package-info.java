/**
 * What an embedder says of a store: its options.
 *
 * <p>May use: {@code record}, and the option records of the modules below. Threads: everything is
 * immutable; a builder is confined to its owner. Owns and closes: nothing. Format: none.
 */
@NullMarked
package dev.varve.dataset.model;

import org.jspecify.annotations.NullMarked;
