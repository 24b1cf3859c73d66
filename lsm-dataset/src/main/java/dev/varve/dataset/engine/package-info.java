/**
 * The storage engine: the only place where files, clock, threads and options meet, and the datasets
 * that it serves.
 *
 * <p>May use: every other package of this module and the modules below. Threads: engine and
 * datasets are thread-safe. Owns and closes: the engine owns its directory, log, cache, workers and
 * datasets and closes them in reverse order. Format: the directory layout in
 * docs/format/catalog.md.
 */
@NullMarked
package dev.varve.dataset.engine;

import org.jspecify.annotations.NullMarked;
