package dev.varve.benchmarks.index;

/**
 * What the parent asks of a child, which opens the store at the first one.
 *
 * @param store label of the store
 * @param settings what it is given
 * @param phase id of the phase to run
 * @param round which round of the phase
 */
public record IndexRequest(String store, IndexSettings settings, String phase, int round) {}
