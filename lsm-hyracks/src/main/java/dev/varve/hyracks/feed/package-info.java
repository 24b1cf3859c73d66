/**
 * Where records come from: the synthetic tweets of section 6.1 of the paper, and the feed that
 * carries them into a dataset.
 *
 * <p>May use: lsm-dataset and what is below it; the generator uses the JDK only. Threads: every
 * source partition has its own generator. Owns and closes: nothing. Format: JSON in UTF-8, one
 * object a record.
 */
@NullMarked
package dev.varve.hyracks.feed;

import org.jspecify.annotations.NullMarked;
