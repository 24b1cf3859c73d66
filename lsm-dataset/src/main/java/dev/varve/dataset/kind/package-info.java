/**
 * Kinds of secondary indexes: what a plug-in implements, and those that come with the engine.
 *
 * <p>May use: the index modules, {@code record}, {@code search}. Threads: kinds are immutable and
 * shared, the makers and views that they give belong to one thread. Owns and closes: nothing.
 * Format: that of the index modules; a kind's name stands for it in the catalog and in components.
 */
@NullMarked
package dev.varve.dataset.kind;

import org.jspecify.annotations.NullMarked;
