package dev.varve.common.index;

import dev.varve.common.filter.BloomFilterBuilder;

/**
 * How a disk component is made.
 *
 * @param filterRate target rate of its Bloom filter, 0 for none
 * @param atMostFilteredKeys how many keys the filter may get, or {@link BloomFilterBuilder#UNKNOWN}
 * @param direct whether the file is written past the system's cache
 */
record BuildPlan(double filterRate, long atMostFilteredKeys, boolean direct) {}
