/**
 * The synthetic tweets of section 6.1 of the paper: a generator, a source that feeds read, and
 * conditions that tell without an index which tweets a query must find.
 *
 * <p>May use: the {@code feed} of lsm-hyracks for the source; all else uses the JDK only. Threads:
 * a generator is confined to one, every source partition has its own; the rest is immutable. Owns
 * and closes: nothing. Format: JSON in UTF-8, one object a record.
 */
@NullMarked
package dev.varve.tweets;

import org.jspecify.annotations.NullMarked;
