package dev.varve.common.index;

import dev.varve.common.disk.DiskComponent;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.KeyRanges;
import dev.varve.common.merge.KeyInterval;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Level 0 as searches read it: components that follow each other in age and share no key, as keys
 * that only grow leave them, are read one after the other like those of a level below. A search
 * opens those that it reaches, one at a time, and compares no keys between them. Thread-safe.
 */
final class FlushedRuns<Q> {
  private final List<DiskComponent<Q>> flushed;
  private final @Nullable KeyRanges<Q> ranges;

  /** Newest first; null until the first search, which can read the components. */
  private volatile @Nullable List<Run<Q>> runs;

  /**
   * Components that share no key.
   *
   * @param components ascending by key; one for itself if it shares keys with its neighbours in age
   * @param keys of each of them; empty where there is one component whose keys nobody knows
   */
  private record Run<Q>(List<DiskComponent<Q>> components, List<KeyInterval> keys) {
    /** Takes a component that is older than all in here; false when it shares a key with one. */
    boolean take(DiskComponent<Q> component, KeyInterval other) {
      int at = 0;
      while (at < keys.size() && keys.get(at).isBefore(other)) {
        at++;
      }
      if (keys.isEmpty() || (at < keys.size() && !other.isBefore(keys.get(at)))) {
        return false;
      }
      components.add(at, component);
      keys.add(at, other);
      return true;
    }

    /** Those that may have something that a search asks for. */
    List<DiskComponent<Q>> reachedBy(Q predicate, KeyRanges<Q> ranges) {
      int end = keys.size();
      while (end > 0 && ranges.position(keys.get(end - 1), predicate) > 0) {
        end--;
      }
      int first = 0;
      while (first < end && ranges.position(keys.get(first), predicate) < 0) {
        first++;
      }
      return components.subList(first, end);
    }
  }

  /**
   * The runs of some components.
   *
   * @param flushed newest first; those without entries are left out
   * @param ranges null for a kind whose searches ask for no range of keys, or where each component
   *     is to be read by a cursor of its own
   */
  FlushedRuns(List<DiskComponent<Q>> flushed, @Nullable KeyRanges<Q> ranges) {
    this.flushed = flushed;
    this.ranges = ranges;
  }

  private List<Run<Q>> find() {
    List<Run<Q>> found = new ArrayList<>();
    for (DiskComponent<Q> component : flushed) {
      if (component.hasEntries()) {
        KeyInterval keys = ranges == null ? null : keysOf(component, ranges);
        Run<Q> newer = found.isEmpty() ? null : found.get(found.size() - 1);
        if (keys == null || newer == null || !newer.take(component, keys)) {
          List<KeyInterval> known = keys == null ? List.of() : List.of(keys);
          found.add(new Run<>(new ArrayList<>(List.of(component)), new ArrayList<>(known)));
        }
      }
    }
    return found;
  }

  /** Null when they cannot be read: a search that needs the same pages says why. */
  private static <Q> @Nullable KeyInterval keysOf(DiskComponent<Q> component, KeyRanges<Q> ranges) {
    try {
      return component.keys(ranges);
    } catch (StorageException unreadable) {
      return null;
    }
  }

  /** Adds a cursor for each run that a search reaches, newest first; the caller closes them. */
  void addSearch(
      ComponentSelection<Q> selected, Q predicate, boolean descending, List<EntryCursor> cursors)
      throws StorageException {
    List<Run<Q>> known = runs;
    if (known == null) {
      known = find();
      runs = known;
    }
    RunCursor.Opening<Q> opening = selected.opening(predicate);
    for (Run<Q> run : known) {
      List<DiskComponent<Q>> reached = run.components();
      if (ranges != null && reached.size() > 1) {
        reached = run.reachedBy(predicate, ranges);
      }
      RunCursor.add(selected.of(reached), opening, descending, cursors);
    }
  }
}
