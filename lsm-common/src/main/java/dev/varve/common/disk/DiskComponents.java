package dev.varve.common.disk;

import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentState;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.KeyInterval;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The disk components of an index at one moment: those of level 0, of which each may hold any key,
 * and below them, in an index that is or was partitioned by key range, levels whose components do
 * not overlap. A newer one of level 0, or one of a lower level, hides what the others say of a key.
 * Immutable.
 *
 * @param membership how the directory tells which files count
 * @param flushed the components of level 0, newest first
 * @param levels level 1 first; the last one is not empty
 * @param newestFlush sequence number of the newest flush that is in one of them, or that left
 *     nothing; 0 for none
 * @param indexLsn every logged operation at or below it is in them; -1 for none
 */
public record DiskComponents<Q>(
    Membership membership,
    List<DiskComponent<Q>> flushed,
    List<KeyRun<Q>> levels,
    long newestFlush,
    long indexLsn) {
  /** How the directory of an index tells which of its files count. */
  public enum Membership {
    /** By the names, which tile all flushes. */
    NAMES,
    /** By a manifest; since components were cut by key range for the first time. */
    MANIFEST
  }

  /** Leaves empty levels at the end out. */
  public DiskComponents {
    flushed = List.copyOf(flushed);
    levels = withoutEmptyEnd(levels);
    assert levels.isEmpty() || membership == Membership.MANIFEST : levels;
  }

  private static <Q> List<KeyRun<Q>> withoutEmptyEnd(List<KeyRun<Q>> levels) {
    int size = levels.size();
    while (size > 0 && levels.get(size - 1).isEmpty()) {
      size--;
    }
    return List.copyOf(levels.subList(0, size));
  }

  /** Components whose names tile all flushes. */
  static <Q> DiskComponents<Q> tiling(List<DiskComponent<Q>> newestFirst) {
    long lsn = -1;
    for (DiskComponent<Q> component : newestFirst) {
      lsn = Math.max(lsn, component.metadata().componentLsn());
    }
    long newest = newestFirst.isEmpty() ? 0 : newestFirst.get(0).id().last();
    return new DiskComponents<>(Membership.NAMES, newestFirst, List.of(), newest, lsn);
  }

  /** Every component, newer ones of level 0 first, then level by level. */
  public List<DiskComponent<Q>> all() {
    if (levels.isEmpty()) {
      return flushed;
    }
    List<DiskComponent<Q>> all = new ArrayList<>(flushed);
    levels.forEach(level -> all.addAll(level.components()));
    return all;
  }

  /**
   * Those that hold a flush after one, in the order of {@link #all}; all of them under a manifest,
   * where a deletion may go down past an older component of other keys, and end.
   */
  public List<DiskComponent<Q>> newerThan(long flush) {
    if (membership == Membership.MANIFEST) {
      return all();
    }
    return flushed.stream().filter(component -> component.id().last() > flush).toList();
  }

  public boolean isEmpty() {
    return flushed.isEmpty() && levels.isEmpty();
  }

  /** A level from 1 on; an empty one below the last. */
  public KeyRun<Q> level(int number) {
    return number <= levels.size() ? levels.get(number - 1) : new KeyRun<>(List.of());
  }

  /**
   * Components that share no key, run by run from the newest to the oldest: each of level 0 is one,
   * and each level that is not empty.
   */
  public List<List<DiskComponent<Q>>> runs() {
    List<List<DiskComponent<Q>>> runs = new ArrayList<>();
    flushed.forEach(component -> runs.add(List.of(component)));
    for (KeyRun<Q> level : levels) {
      if (!level.isEmpty()) {
        runs.add(level.components());
      }
    }
    return runs;
  }

  /** What is known of each component, the oldest first. */
  public List<ComponentStats> stats() {
    List<ComponentStats> stats = new ArrayList<>();
    all().forEach(component -> stats.add(component.stats()));
    Collections.reverse(stats);
    return stats;
  }

  /** The filter of each component, in the order of {@link #stats}. */
  public List<RangeFilter> filters() {
    List<RangeFilter> filters = new ArrayList<>();
    all().forEach(component -> filters.add(component.metadata().filter()));
    Collections.reverse(filters);
    return filters;
  }

  /** How many there are at each level, level 0 first. */
  public List<Integer> sizes() {
    List<Integer> sizes = new ArrayList<>(List.of(flushed.size()));
    levels.forEach(level -> sizes.add(level.components().size()));
    return sizes;
  }

  /** What a merge policy sees; states move under the owner's lock. */
  public IndexShape shape() {
    List<List<DiskComponent<Q>>> runs = runs();
    List<ComponentStats> components = new ArrayList<>();
    List<ComponentId> merging = new ArrayList<>();
    List<ComponentId> ids = ids(runs);
    for (int i = runs.size() - 1; i >= 0; i--) {
      components.add(stats(runs.get(i), ids.get(i)));
      if (runs.get(i).stream().anyMatch(each -> each.state() == ComponentState.MERGING)) {
        merging.add(ids.get(i));
      }
    }
    return new IndexShape(
        components,
        merging,
        membership == Membership.NAMES ? OptionalInt.empty() : OptionalInt.of(flushed.size()));
  }

  private static <Q> ComponentStats stats(List<DiskComponent<Q>> run, ComponentId id) {
    if (run.size() == 1 && run.get(0).id().equals(id)) {
      return run.get(0).stats();
    }
    ComponentStats sum = new ComponentStats(id, 0, 0, 0, -1);
    for (DiskComponent<Q> component : run) {
      ComponentStats stats = component.stats();
      sum =
          new ComponentStats(
              id,
              sum.bytes() + stats.bytes(),
              sum.entries() + stats.entries(),
              sum.antimatter() + stats.antimatter(),
              sum.superseding() + stats.superseding(),
              Math.max(sum.componentLsn(), stats.componentLsn()));
    }
    return sum;
  }

  /**
   * How a policy of whole components is told of the runs. Those of level 0 have their own ids. A
   * level holds parts of many flushes, so the ids of levels only say that they are older; when that
   * many older ids are not to be had, the runs are counted.
   */
  private List<ComponentId> ids(List<List<DiskComponent<Q>>> runs) {
    int below = runs.size() - flushed.size();
    long end = flushed.isEmpty() ? newestFlush + 1 : oldestFlushed().first();
    List<ComponentId> ids = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      long older = (long) runs.size() - i;
      if (end <= below) {
        ids.add(new ComponentId(older, older));
      } else if (i < flushed.size()) {
        ids.add(flushed.get(i).id());
      } else {
        ids.add(new ComponentId(older == 1 ? 1 : end - below + older - 1, end - below + older - 1));
      }
    }
    return ids;
  }

  private ComponentId oldestFlushed() {
    return flushed.get(flushed.size() - 1).id();
  }

  /**
   * The runs with these ids, newest first.
   *
   * @param wanted oldest first, of {@link #shape}
   * @throws IllegalStateException when they are not adjacent
   */
  public List<List<DiskComponent<Q>>> runs(List<ComponentId> wanted) {
    List<List<DiskComponent<Q>>> runs = runs();
    List<ComponentId> ids = ids(runs);
    List<ComponentId> newestFirst = new ArrayList<>();
    wanted.forEach(id -> newestFirst.add(0, id));
    int from = ids.indexOf(newestFirst.get(0));
    int to = from + wanted.size();
    if (from < 0 || to > runs.size() || !ids.subList(from, to).equals(newestFirst)) {
      throw new IllegalStateException(
          "the merge policy chose " + wanted + ", which are not adjacent components");
    }
    return runs.subList(from, to);
  }

  /** Whether they are as small as a merge of everything would make them. */
  public boolean isCompact() {
    if (membership == Membership.NAMES) {
      return flushed.isEmpty() || (flushed.size() == 1 && flushed.get(0).stats().antimatter() == 0);
    }
    List<DiskComponent<Q>> all = new ArrayList<>(all());
    all.sort(
        Comparator.comparing(
            component -> component.range().keys().smallest(), Slice::compareBytes));
    @Nullable KeyInterval before = null;
    for (DiskComponent<Q> component : all) {
      KeyInterval keys = component.range().keys();
      if (component.stats().antimatter() > 0 || (before != null && !before.isBefore(keys))) {
        return false;
      }
      before = keys;
    }
    return true;
  }

  /** The same after a flush or bulk load. */
  public DiskComponents<Q> withNewest(DiskComponent<Q> newest) {
    List<DiskComponent<Q>> after = new ArrayList<>(flushed);
    if (membership == Membership.NAMES || newest.hasEntries()) {
      after.add(0, newest);
    }
    return new DiskComponents<>(
        membership,
        after,
        levels,
        newest.id().last(),
        Math.max(indexLsn, newest.metadata().componentLsn()));
  }

  /** The same after a load of what is older than all others. */
  public DiskComponents<Q> withOldest(DiskComponent<Q> oldest) {
    assert oldest.id().first() == 1 : oldest.id();
    assert levels.isEmpty() : levels;
    List<DiskComponent<Q>> after = new ArrayList<>(flushed);
    if (membership == Membership.NAMES || oldest.hasEntries()) {
      after.add(oldest);
    }
    return new DiskComponents<>(
        membership,
        after,
        levels,
        Math.max(newestFlush, oldest.id().last()),
        Math.max(indexLsn, oldest.metadata().componentLsn()));
  }

  /** The same after a merge into one component of level 0, in the place of its inputs there. */
  private DiskComponents<Q> withOneOf(
      List<DiskComponent<Q>> inputs, List<DiskComponent<Q>> outputs) {
    List<DiskComponent<Q>> after = new ArrayList<>(flushed);
    int position = after.indexOf(inputs.get(0));
    assert position >= 0 : inputs;
    after.removeAll(inputs);
    boolean all = membership == Membership.NAMES;
    after.addAll(position, outputs.stream().filter(each -> all || each.hasEntries()).toList());
    return new DiskComponents<>(membership, after, levels, newestFlush, indexLsn);
  }

  /** The same after a merge from any levels into one, or a move. */
  private DiskComponents<Q> withLevel(
      int number, List<DiskComponent<Q>> inputs, List<DiskComponent<Q>> outputs) {
    List<DiskComponent<Q>> flushedAfter = new ArrayList<>(flushed);
    flushedAfter.removeAll(inputs);
    List<KeyRun<Q>> after = new ArrayList<>(levels);
    while (after.size() < number) {
      after.add(new KeyRun<>(List.of()));
    }
    for (int i = 0; i < after.size(); i++) {
      List<DiskComponent<Q>> gone = new ArrayList<>(after.get(i).components());
      gone.retainAll(inputs);
      List<DiskComponent<Q>> come = i == number - 1 ? outputs : List.of();
      if (!gone.isEmpty() || !come.isEmpty()) {
        after.set(i, after.get(i).with(gone, come));
      }
    }
    return new DiskComponents<>(membership, flushedAfter, after, newestFlush, indexLsn);
  }

  /**
   * The same after a merge or a move.
   *
   * @param level which one the outputs belong to
   */
  public DiskComponents<Q> after(
      int level, List<DiskComponent<Q>> inputs, List<DiskComponent<Q>> outputs) {
    return level == 0 ? withOneOf(inputs, outputs) : withLevel(level, inputs, outputs);
  }

  /** Whether no merge reads what would not count under a manifest. */
  public boolean mayGoUnderManifest() {
    return flushed.stream()
        .noneMatch(each -> !each.hasEntries() && each.state() == ComponentState.MERGING);
  }

  /** The same under a manifest: components without entries do not count there. */
  public DiskComponents<Q> underManifest() {
    return new DiskComponents<>(
        Membership.MANIFEST,
        flushed.stream().filter(DiskComponent::hasEntries).toList(),
        levels,
        newestFlush,
        indexLsn);
  }
}
