package dev.varve.benchmarks.store;

import java.nio.file.Path;

/**
 * What every store is given alike.
 *
 * @param directory where its files are; exists
 * @param durability what an acknowledged write survives
 * @param cacheBytes memory for what is read
 * @param memoryBytes memory for what is written, two memory components of half of it each where the
 *     store has such
 * @param valueBytes size of a value
 */
public record StoreSettings(
    Path directory,
    StoreDurability durability,
    long cacheBytes,
    long memoryBytes,
    int valueBytes) {}
