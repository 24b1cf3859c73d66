/**
 * Kinds of secondary indexes: what a plug-in implements, those that come with the engine, and how
 * the values of an index are read out of a JSON record in one pass.
 *
 * <p>May use: the index modules, {@code model}, Jackson's streaming parser. Threads: kinds and
 * schemas are immutable and shared; readers, makers and views belong to one thread. Owns and
 * closes: nothing. Format: that of the index modules; a kind's name stands for it in the catalog
 * and in components, and records are stored as the JSON bytes they came as.
 */
@NullMarked
package dev.varve.dataset.kind;

import org.jspecify.annotations.NullMarked;
