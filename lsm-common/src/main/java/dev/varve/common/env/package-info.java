/**
 * The four doors to the outside: files, time, threads and (as seeded {@code RandomGenerator}
 * parameters) randomness. Nothing else in the engine touches them.
 *
 * <p>May use: {@code error}, {@code bytes}. Threads: every implementation is thread-safe. Owns and
 * closes: whoever opens a file, region, lock or worker closes it. Format: none; assumptions about
 * disks are in docs/format/README.md.
 */
@NullMarked
package dev.varve.common.env;

import org.jspecify.annotations.NullMarked;
