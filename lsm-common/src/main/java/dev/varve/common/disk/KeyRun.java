package dev.varve.common.disk;

import dev.varve.common.bytes.Slice;
import dev.varve.common.format.KeyRanges;
import dev.varve.common.merge.KeyInterval;
import dev.varve.common.merge.PartitionedShape.Level;
import dev.varve.common.merge.RangedComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A level from 1 on: disk components that share no key, ascending. A reader of one key looks into
 * one of them at most. Immutable.
 */
public final class KeyRun<Q> {
  private final List<DiskComponent<Q>> components;
  private final Level level;

  /** Of each component's largest key, so that most comparisons of a search are of numbers. */
  private final long[] largestHeads;

  /**
   * Takes components with entries.
   *
   * @throws IllegalStateException when one does not end before the next begins
   */
  public KeyRun(List<DiskComponent<Q>> components) {
    this.components = List.copyOf(components);
    this.largestHeads = new long[components.size()];
    List<RangedComponent> ranges = new ArrayList<>(components.size());
    long bytes = 0;
    for (DiskComponent<Q> component : this.components) {
      RangedComponent range = component.range();
      int at = ranges.size();
      if (at > 0 && !ranges.get(at - 1).keys().isBefore(range.keys())) {
        throw new IllegalStateException(
            "components of a level overlap: " + ranges.get(at - 1) + " and " + range);
      }
      largestHeads[at] = range.keys().largest().head();
      ranges.add(range);
      bytes += range.bytes();
    }
    this.level = new Level(ranges, Optional.empty(), bytes);
  }

  /** Ascending by key. */
  public List<DiskComponent<Q>> components() {
    return components;
  }

  public boolean isEmpty() {
    return components.isEmpty();
  }

  /** As a policy sees it, but for where its round is. */
  public Level level() {
    return level;
  }

  /** The component that may hold a key; null when there is none. */
  @Nullable
  public DiskComponent<Q> holding(Slice key) {
    long head = key.head();
    int low = 0;
    int high = largestHeads.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int order = Long.compareUnsigned(largestHeads[middle], head);
      if (order == 0) {
        order = keys(middle).largest().compareBytes(key);
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == largestHeads.length || keys(low).smallest().compareBytes(key) > 0
        ? null
        : components.get(low);
  }

  private KeyInterval keys(int position) {
    return level.components().get(position).keys();
  }

  /** The components that may hold something that a search asks for, ascending by key. */
  public List<DiskComponent<Q>> reachedBy(Q predicate, KeyRanges<Q> ranges) {
    int first = firstAt(0, predicate, ranges);
    return components.subList(first, firstAt(1, predicate, ranges));
  }

  /** How many components come before a position as seen from a search. */
  private int firstAt(int position, Q predicate, KeyRanges<Q> ranges) {
    int low = 0;
    int high = components.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Integer.signum(ranges.position(keys(middle), predicate)) < position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The same with some components in the place of others. */
  KeyRun<Q> with(List<DiskComponent<Q>> gone, List<DiskComponent<Q>> come) {
    List<DiskComponent<Q>> after = new ArrayList<>(components);
    after.removeAll(gone);
    assert after.size() == components.size() - gone.size() : gone;
    for (DiskComponent<Q> component : come) {
      int at = 0;
      while (at < after.size() && after.get(at).range().keys().isBefore(component.range().keys())) {
        at++;
      }
      after.add(at, component);
    }
    return new KeyRun<>(after);
  }
}
