/**
 * Points and rectangles, the Hilbert curve through them, and the keys that put entries in its
 * order.
 *
 * <p>May use: lsm-common's {@code error} and {@code bytes}. Threads: rectangles are values, {@link
 * dev.varve.rtree.geometry.SpatialKeyEncoder} is confined to its owner, everything else has no
 * state. Owns and closes: nothing. Format: docs/format/rtree.md.
 */
@NullMarked
package dev.varve.rtree.geometry;

import org.jspecify.annotations.NullMarked;
