package dev.varve.simulator.calibration;

import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.common.merge.RangedComponent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What components take on disk: so much for each entry, and so much for each file, because a file
 * has pages that hold no entries, and its last pages are not full. Fitted to the mean flush and to
 * the largest component, which is exact for both ends of an index; where components are cut, none
 * of which is much larger than a flush, to all of them by least squares. Immutable.
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
    Optional<SizeFit> cut = ofCut(recording, entries);
    if (cut.isPresent()) {
      return cut.get();
    }
    if (largest.entries() < 2 * entries) {
      return new SizeFit(bytes / entries, 0, entries);
    }
    double each = (largest.bytes() - bytes) / (largest.entries() - entries);
    return new SizeFit(each, Math.max(0, bytes / each - entries), entries);
  }

  /** Empty when components are not cut. */
  private static Optional<SizeFit> ofCut(Recording recording, double flushEntries) {
    Map<Long, RangedComponent> all = new HashMap<>();
    for (Moment moment : recording.moments()) {
      moment.cut().ifPresent(cut -> addAll(cut.shape(), all));
    }
    if (all.isEmpty()) {
      return Optional.empty();
    }
    double meanEntries =
        all.values().stream().mapToLong(RangedComponent::entries).average().orElse(0);
    double meanBytes = all.values().stream().mapToLong(RangedComponent::bytes).average().orElse(0);
    double both = 0;
    double square = 0;
    for (RangedComponent each : all.values()) {
      both += (each.entries() - meanEntries) * (each.bytes() - meanBytes);
      square += (each.entries() - meanEntries) * (each.entries() - meanEntries);
    }
    double each = square == 0 ? meanBytes / meanEntries : both / square;
    return Optional.of(
        new SizeFit(each, Math.max(0, meanBytes / each - meanEntries), flushEntries));
  }

  private static void addAll(PartitionedShape shape, Map<Long, RangedComponent> all) {
    shape.flushed().forEach(each -> all.put(each.number(), each));
    for (PartitionedShape.Level level : shape.levels()) {
      level.components().forEach(each -> all.put(each.number(), each));
    }
  }
}
