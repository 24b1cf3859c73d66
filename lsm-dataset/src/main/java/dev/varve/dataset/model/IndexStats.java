package dev.varve.dataset.model;

import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.component.RangeFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One index of a partition: what it holds, and what it has done since it was opened.
 *
 * @param name {@code primary}, or the secondary's name
 * @param kind its kind: {@code btree}
 * @param indexId its number in the log and in its files
 * @param indexLsn what lies at or below it in the log is in its disk components
 * @param redoPosition where in the log its redo would begin
 * @param components its disk components, oldest first
 * @param values of each of these, which values of the filter field its records have
 * @param levels how many of these are at each level, level 0 first; all at level 0 unless they are
 *     cut by key range
 * @param memoryEntries entries in memory components
 * @param memoryBytes bytes of memory components
 * @param flushes flushes that ended
 * @param merges merges that ended
 * @param repairs repairs of components that ended
 * @param obsoleteEntries entries on disk that repairs have found to be obsolete, and that searches
 *     leave out; there may be more
 * @param flushedBytes bytes that flushes wrote
 * @param mergedBytes bytes that merges wrote
 * @param rangeReads disk components that reads of a range of the filter field have read
 * @param rangeSkips those that such reads left out
 */
public record IndexStats(
    String name,
    String kind,
    int indexId,
    long indexLsn,
    long redoPosition,
    List<ComponentStats> components,
    List<Values> values,
    List<Integer> levels,
    long memoryEntries,
    long memoryBytes,
    long flushes,
    long merges,
    long repairs,
    long obsoleteEntries,
    long flushedBytes,
    long mergedBytes,
    long rangeReads,
    long rangeSkips) {
  /**
   * Which values of the filter field the records of a component have, to be read by people.
   *
   * @param coverage which of its records are covered
   * @param smallest the smallest value, or what it begins with; null when there is none
   * @param largest the largest value, or a short one above it; null when there is none
   */
  public record Values(
      RangeFilter.Coverage coverage, @Nullable String smallest, @Nullable String largest) {
    /** What a filter covers, as text. */
    public static Values of(RangeFilter filter) {
      return new Values(filter.coverage(), text(filter.smallest()), text(filter.largest()));
    }

    private static @Nullable String text(@Nullable Slice value) {
      return value == null ? null : Key.ofSlice(value).toString();
    }

    @Override
    public String toString() {
      return smallest == null ? "" : smallest + " to " + largest;
    }
  }

  /** Copies the lists. */
  public IndexStats {
    values = List.copyOf(values);
    components = List.copyOf(components);
    levels = List.copyOf(levels);
  }
}
