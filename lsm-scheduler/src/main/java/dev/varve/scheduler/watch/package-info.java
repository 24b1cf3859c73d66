/**
 * What waits for what: from writers that wait over the index or the log to the flushes and merges
 * that they wait for, and the rules that must hold meanwhile. Values in, values out.
 *
 * <p>May use: {@code maintenance} of lsm-common, {@code admission} and {@code service}. Threads:
 * everything is immutable. Owns and closes: nothing; the engine takes the samples. Format: none.
 */
@NullMarked
package dev.varve.scheduler.watch;

import org.jspecify.annotations.NullMarked;
