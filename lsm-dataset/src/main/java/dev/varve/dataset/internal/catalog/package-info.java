/**
 * Which datasets there are, with which indexes and which options, in one file that is replaced
 * atomically.
 *
 * <p>May use: {@code options}, {@code error}, {@code bytes}, {@code env}, {@code merge} of
 * lsm-common and {@code policy} of lsm-scheduler. Threads: descriptors and options are immutable;
 * the catalog is thread-safe. Owns and closes: the catalog file is open only while it is read or
 * written. Format: docs/format/catalog.md.
 */
@NullMarked
package dev.varve.dataset.internal.catalog;

import org.jspecify.annotations.NullMarked;
