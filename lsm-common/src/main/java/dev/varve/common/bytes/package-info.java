/**
 * Data as byte arrays with absolute offsets: fixed-width access, variable-length integers,
 * checksums, and order-preserving key encodings; and how long arrays lie in the heap.
 *
 * <p>May use: {@code error}. Threads: static functions are thread-safe; {@link
 * dev.varve.common.bytes.Slice} is confined to its owner. Owns and closes: nothing. Format:
 * docs/format/keys.md.
 */
@NullMarked
package dev.varve.common.bytes;

import org.jspecify.annotations.NullMarked;
