package dev.varve.scheduler.calibration;

import dev.varve.common.component.ComponentStats;
import java.util.List;

/**
 * What components take on disk: so much for each entry, and so much for each file, because a file
 * has pages that hold no entries, and its last pages are not full. Fitted to the mean flush and to
 * the largest component, which is exact for both ends of an index. Immutable.
 *
 * @param entryBytes for an entry
 * @param fileEntries what a file takes on top, as a number of entries
 * @param flushEntries entries of the mean flush
 */
public record SizeFit(double entryBytes, double fileEntries, double flushEntries) {
  static SizeFit of(Recording recording) {
    List<ComponentStats> flushes =
        recording.flushes().stream().map(Recording.Flush::component).toList();
    if (flushes.isEmpty()) {
      throw new IllegalArgumentException("a recording without a flush says nothing about sizes");
    }
    double entries = flushes.stream().mapToLong(ComponentStats::entries).average().orElseThrow();
    double bytes = flushes.stream().mapToLong(ComponentStats::bytes).average().orElseThrow();
    ComponentStats largest = flushes.get(0);
    for (Moment moment : recording.moments()) {
      for (ComponentStats component : moment.shape().components()) {
        largest = component.entries() > largest.entries() ? component : largest;
      }
    }
    if (largest.entries() < 2 * entries) {
      return new SizeFit(bytes / entries, 0, entries);
    }
    double each = (largest.bytes() - bytes) / (largest.entries() - entries);
    return new SizeFit(each, Math.max(0, bytes / each - entries), entries);
  }
}
