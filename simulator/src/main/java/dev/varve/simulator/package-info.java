/**
 * A node in virtual time: the engine's own policies, schedulers and gate over components that are
 * numbers. Two hours of writes take a fraction of a second, because nothing happens for each
 * record: rates hold from one flush, merge or stall to the next.
 *
 * <p>May use: {@code bytes}, {@code component}, {@code merge}, {@code maintenance} and {@code env}
 * of lsm-common, {@code policy}, {@code scheduling}, {@code admission} and {@code tuner} of
 * lsm-scheduler. Threads: confined to the caller; options and results are immutable. Owns and
 * closes: nothing. Format: none.
 */
@NullMarked
package dev.varve.simulator;

import org.jspecify.annotations.NullMarked;
