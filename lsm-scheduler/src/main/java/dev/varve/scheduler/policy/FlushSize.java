package dev.varve.scheduler.policy;

import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import java.util.List;
import java.util.OptionalLong;

/**
 * How large a flush of an index is, judged by its components: the M of the papers, which an index
 * that shares its memory with others cannot know beforehand. Stateless.
 */
final class FlushSize {
  private FlushSize() {}

  /** The size that was given, or else the one that the components show; at least 1. */
  static long of(OptionalLong given, IndexShape shape) {
    return given.isPresent() ? given.getAsLong() : estimate(shape.components());
  }

  /**
   * The middle one of the components that are a flush each, leaving the largest component out, for
   * that may have been loaded in bulk. When there is none, what the newest one holds for each of
   * its flushes.
   */
  private static long estimate(List<ComponentStats> components) {
    long largest = components.stream().mapToLong(ComponentStats::bytes).max().orElse(1);
    long[] flushes =
        components.stream()
            .filter(component -> component.id().first() == component.id().last())
            .mapToLong(ComponentStats::bytes)
            .sorted()
            .toArray();
    int known = flushes.length;
    if (known > 0 && flushes[known - 1] == largest) {
      known--;
    }
    if (known > 0) {
      return Math.max(1, flushes[(known - 1) / 2]);
    }
    if (components.isEmpty()) {
      return 1;
    }
    ComponentStats newest = components.get(components.size() - 1);
    return Math.max(1, newest.bytes() / (newest.id().last() - newest.id().first() + 1));
  }

  static void check(String policy, OptionalLong flushBytes) {
    if (flushBytes.isPresent() && flushBytes.getAsLong() < 1) {
      throw new IllegalArgumentException(
          policy + ": flushes of " + flushBytes.getAsLong() + " bytes");
    }
  }

  static String describe(OptionalLong flushBytes) {
    return flushBytes.isPresent() ? ", " + flushBytes.getAsLong() : "";
  }
}
