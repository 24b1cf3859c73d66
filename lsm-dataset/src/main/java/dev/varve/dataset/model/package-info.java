/**
 * What goes into a store and comes out of it: keys, ranges, searches of each kind of index,
 * cursors, and the numbers of a partition.
 *
 * <p>May use: what the index modules are asked with. Threads: values are immutable; a cursor is
 * confined to one thread. Owns and closes: whoever opens a cursor closes it. Format: keys are
 * encoded by {@code KeyEncoder} of lsm-common.
 */
@NullMarked
package dev.varve.dataset.model;

import org.jspecify.annotations.NullMarked;
