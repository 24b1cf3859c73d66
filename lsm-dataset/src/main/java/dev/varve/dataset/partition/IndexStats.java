package dev.varve.dataset.partition;

import dev.varve.common.component.ComponentStats;
import java.util.List;

/**
 * One index of a partition: what it holds, and what it has done since it was opened.
 *
 * @param name {@code primary}, or the secondary's name
 * @param kind its kind: {@code btree}
 * @param indexId its number in the log and in its files
 * @param indexLsn what lies at or below it in the log is in its disk components
 * @param redoPosition where in the log its redo would begin
 * @param components its disk components, oldest first
 * @param levels how many of these are at each level, level 0 first; all at level 0 unless they are
 *     cut by key range
 * @param memoryEntries entries in memory components
 * @param memoryBytes bytes of memory components
 * @param flushes flushes that ended
 * @param merges merges that ended
 * @param flushedBytes bytes that flushes wrote
 * @param mergedBytes bytes that merges wrote
 */
public record IndexStats(
    String name,
    String kind,
    int indexId,
    long indexLsn,
    long redoPosition,
    List<ComponentStats> components,
    List<Integer> levels,
    long memoryEntries,
    long memoryBytes,
    long flushes,
    long merges,
    long flushedBytes,
    long mergedBytes) {
  /** Copies the lists. */
  public IndexStats {
    components = List.copyOf(components);
    levels = List.copyOf(levels);
  }
}
