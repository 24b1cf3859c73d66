package dev.varve.benchmarks.store;

/**
 * What a store says about itself.
 *
 * @param components components, runs or files that a read may have to look at; 1 for a store that
 *     updates in place
 * @param diskBytes bytes of all its files
 */
public record StoreFigures(int components, long diskBytes) {}
