/**
 * JSON records as bytes: field paths, the keys that are read out of a record in one pass, and the
 * order of keys.
 *
 * <p>May use: {@code error} and {@code bytes} of lsm-common, Jackson's streaming parser. Threads:
 * values are immutable; a reader is confined to its owner. Owns and closes: nothing. Format:
 * records are stored as the JSON bytes they came as; keys are encoded by {@code KeyEncoder}.
 */
@NullMarked
package dev.varve.dataset.record;

import org.jspecify.annotations.NullMarked;
