package dev.varve.benchmarks.store;

import java.nio.file.Path;

/**
 * What every store is given alike.
 *
 * @param directory where its files are; exists
 * @param durability what an acknowledged write survives
 * @param memory bytes that it may use
 * @param valueBytes size of a value
 */
public record StoreSettings(
    Path directory, StoreDurability durability, StoreMemory memory, int valueBytes) {}
