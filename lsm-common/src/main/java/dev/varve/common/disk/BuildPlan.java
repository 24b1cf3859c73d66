package dev.varve.common.disk;

import dev.varve.common.filter.BloomFilterBuilder;
import dev.varve.common.page.ComponentOptions;
import dev.varve.common.page.Destination;

/**
 * How a disk component is made.
 *
 * @param components how its file is written; its page size is given
 * @param filterRate target rate of its Bloom filter, 0 for none
 * @param atMostFilteredKeys how many keys the filter may get, or {@link BloomFilterBuilder#UNKNOWN}
 * @param destination where its pages are written to
 */
public record BuildPlan(
    ComponentOptions components,
    double filterRate,
    long atMostFilteredKeys,
    Destination destination) {}
