package dev.varve.common.index;

import dev.varve.common.component.ComponentStats;
import dev.varve.common.component.RangeFilter;
import java.util.List;

/**
 * What an index holds and has done since it was opened.
 *
 * @param components its disk components, oldest first
 * @param filters from which to which value the records of each of these go
 * @param levels how many of these are at each level, level 0 first; all at level 0 unless they are
 *     cut by key range
 * @param memoryEntries entries in memory components
 * @param memoryBytes bytes of heap in memory components
 * @param memoryComponents how many memory components there are
 * @param flushes flushes that ended
 * @param merges merges that ended
 * @param repairs repairs of components that ended
 * @param deadEntries entries on disk that repairs have found to count no more
 * @param flushedBytes bytes that flushes wrote
 * @param mergedBytes bytes that merges wrote
 * @param filterProbes lookups that asked a filter
 * @param filterSkips lookups that a filter spared a component
 * @param rangeReads disk components that searches for a range of the field that the index is
 *     filtered by have read
 * @param rangeSkips those that such searches were spared
 */
public record LsmIndexStats(
    List<ComponentStats> components,
    List<RangeFilter> filters,
    List<Integer> levels,
    long memoryEntries,
    long memoryBytes,
    int memoryComponents,
    long flushes,
    long merges,
    long repairs,
    long deadEntries,
    long flushedBytes,
    long mergedBytes,
    long filterProbes,
    long filterSkips,
    long rangeReads,
    long rangeSkips) {}
