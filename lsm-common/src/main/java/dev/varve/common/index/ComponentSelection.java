package dev.varve.common.index;

import dev.varve.common.component.RangeFilter;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.disk.DiskComponents;
import dev.varve.common.disk.DiskComponents.Membership;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.index.DeadEntries.Dead;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/**
 * Which disk components a search reads. One for a range of the field that its index is filtered by
 * leaves those out whose filter tells that no record in the range is held there, nor any hidden
 * that a component of the selection holds. Immutable.
 *
 * @param flushed those of level 0, newest first
 * @param leftOut those that are not read, of any level
 * @param read how many are read
 * @param dead of those of which a component that is left out may hide entries: the positions of all
 *     entries that it hides, and of others that newer components hide
 */
record ComponentSelection<Q>(
    List<DiskComponent<Q>> flushed,
    Set<DiskComponent<Q>> leftOut,
    int read,
    Map<DiskComponent<Q>, Roaring64Bitmap> dead) {

  /** All of them. */
  static <Q> ComponentSelection<Q> of(DiskComponents<Q> disk) {
    return new ComponentSelection<>(disk.flushed(), Set.of(), 0, Map.of());
  }

  /**
   * Those that somebody has to read who wants certain values. From the oldest to the newest, since
   * one that does not cover what it hides is read once anything older is, unless the reader looks
   * at records anyway, or it is known of all that is read and older which entries are dead for it.
   *
   * @param known what is known of that, from before the components were taken
   */
  static <Q> ComponentSelection<Q> of(
      DiskComponents<Q> disk, RangeFilter.Wanted wanted, Map<DiskComponent<Q>, Dead> known) {
    List<DiskComponent<Q>> oldestFirst = new ArrayList<>(disk.all());
    Collections.reverse(oldestFirst);
    Set<DiskComponent<Q>> leftOut = new HashSet<>();
    Map<DiskComponent<Q>, Roaring64Bitmap> deadOfRead = new HashMap<>();
    Map<DiskComponent<Q>, Roaring64Bitmap> dead = new HashMap<>();
    boolean olderIsRead = false;
    // What is dead for flushes up to this one is known of all that is read so far.
    long deadUpTo = disk.membership() == Membership.NAMES ? Long.MAX_VALUE : -1;
    for (DiskComponent<Q> component : oldestFirst) {
      RangeFilter filter = component.metadata().filter();
      boolean hides = filter.coverage() == RangeFilter.Coverage.HELD && !wanted.looksAtRecords();
      boolean holds = filter.mayHold(wanted);
      if (!holds && (!hides || !olderIsRead)) {
        leftOut.add(component);
        continue;
      }
      if (!holds && component.id().last() <= deadUpTo) {
        leftOut.add(component);
        dead.putAll(deadOfRead);
        continue;
      }
      olderIsRead = true;
      Dead ofIt = DeadEntries.of(component, known);
      deadUpTo = Math.min(deadUpTo, ofIt.upTo());
      deadOfRead.put(component, ofIt.positions());
    }
    return new ComponentSelection<>(
        without(disk.flushed(), leftOut), leftOut, oldestFirst.size() - leftOut.size(), dead);
  }

  /** How many are not read. */
  int skipped() {
    return leftOut.size();
  }

  /** How a search reads one of them. */
  @SuppressWarnings("MustBeClosedChecker") // closed by who opens it
  RunCursor.Opening<Q> opening(Q predicate) {
    return component -> {
      EntryCursor found = LiveCursor.search(component, predicate);
      Roaring64Bitmap deadOfIt = dead.get(component);
      return deadOfIt == null ? found : LiveCursor.without(deadOfIt, found);
    };
  }

  /** Those of a level or run that are read. */
  List<DiskComponent<Q>> of(List<DiskComponent<Q>> level) {
    return leftOut.isEmpty() ? level : without(level, leftOut);
  }

  private static <Q> List<DiskComponent<Q>> without(
      List<DiskComponent<Q>> components, Set<DiskComponent<Q>> leftOut) {
    return components.stream().filter(component -> !leftOut.contains(component)).toList();
  }
}
