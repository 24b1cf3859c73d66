/**
 * Where records come from, and the feed that carries them into a dataset.
 *
 * <p>May use: lsm-dataset and what is below it. Threads: a stream is confined to its source
 * partition. Owns and closes: nothing. Format: JSON in UTF-8, one object a record.
 */
@NullMarked
package dev.varve.hyracks.feed;

import org.jspecify.annotations.NullMarked;
