package dev.varve.benchmarks.ycsb;

/**
 * What flushes and merges of Varve's engine keep to; other stores have their own.
 *
 * @param tuner as {@code TunerText} reads it
 * @param ioBytesPerSecond what they write together at most, 0 for no limit
 */
public record Maintenance(String tuner, long ioBytesPerSecond) {}
