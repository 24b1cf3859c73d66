package dev.varve.common.merge;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The disk components of an index whose levels are partitioned by key range, at one moment (On
 * Performance Stability in LSM-based Storage Systems, section 2.1 and Figure 3). Level 0 is what
 * was flushed, whose key ranges may overlap; from level 1 on the components of a level do not. An
 * entry of a lower level is newer than one with the same key on a higher level.
 *
 * @param flushed the components of level 0, oldest first
 * @param levels level 1 first; a level may be empty
 * @param merging numbers of those that a running or waiting merge reads already
 * @param observation what is seen besides the components
 */
public record PartitionedShape(
    List<RangedComponent> flushed, List<Level> levels, Set<Long> merging, Observation observation) {
  /**
   * A level from 1 on.
   *
   * @param components ascending by key, without overlaps
   * @param mergedLast the keys of the component that went from here to the next level last; where a
   *     round goes on
   * @param bytes of all components together: there may be many of them, and their sum is asked for
   *     with every decision
   */
  public record Level(
      List<RangedComponent> components, Optional<KeyInterval> mergedLast, long bytes) {
    /** Without components. */
    public static final Level EMPTY = new Level(List.of(), Optional.empty());

    /** Copies the list. */
    public Level {
      components = List.copyOf(components);
      assert bytes == sum(components) : bytes;
    }

    /** Adds the bytes up. */
    public Level(List<RangedComponent> components, Optional<KeyInterval> mergedLast) {
      this(components, mergedLast, sum(components));
    }

    private static long sum(List<RangedComponent> components) {
      return components.stream().mapToLong(RangedComponent::bytes).sum();
    }

    /** The same after a component with these keys went to the next level. */
    public Level after(KeyInterval merged) {
      return new Level(components, Optional.of(merged), bytes);
    }

    /** The components with a key in an interval; they are adjacent. */
    public List<RangedComponent> overlapping(KeyInterval keys) {
      int first = position(keys);
      int end = first;
      while (end < components.size() && components.get(end).keys().overlaps(keys)) {
        end++;
      }
      return components.subList(first, end);
    }

    /** How many components end before an interval begins. */
    public int position(KeyInterval keys) {
      int low = 0;
      int high = components.size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (components.get(middle).keys().isBefore(keys)) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }

  /** An index of which nothing else has been seen. */
  public PartitionedShape(List<RangedComponent> flushed, List<Level> levels, Set<Long> merging) {
    this(flushed, levels, merging, Observation.NONE);
  }

  /** Copies the collections. */
  public PartitionedShape {
    flushed = List.copyOf(flushed);
    levels = List.copyOf(levels);
    merging = Set.copyOf(merging);
  }

  /** A level from 1 on; an empty one below the last. */
  public Level level(int number) {
    return number <= levels.size() ? levels.get(number - 1) : Level.EMPTY;
  }
}
