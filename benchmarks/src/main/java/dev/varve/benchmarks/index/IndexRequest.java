package dev.varve.benchmarks.index;

import dev.varve.benchmarks.measure.Work;

/**
 * What the parent asks of a child, which opens the store at the first one.
 *
 * @param store label of the store
 * @param settings what it is given
 * @param work the phase to run
 */
public record IndexRequest(String store, IndexSettings settings, Work work) {}
