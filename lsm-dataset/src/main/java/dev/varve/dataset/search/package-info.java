/**
 * What a secondary index can be asked, for each kind of index.
 *
 * <p>May use: what the index modules are asked with, {@code record}. Threads: all values,
 * immutable. Owns and closes: nothing. Format: none, nothing here reaches a disk.
 */
@NullMarked
package dev.varve.dataset.search;

import org.jspecify.annotations.NullMarked;
