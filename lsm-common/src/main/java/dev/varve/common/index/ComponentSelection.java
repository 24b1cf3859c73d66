package dev.varve.common.index;

import dev.varve.common.component.RangeFilter;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.disk.DiskComponents;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which disk components a search reads. One for a range of the field that its index is filtered by
 * leaves those out whose filter tells that no record in the range is held there, nor any hidden
 * that a component of the selection holds. Immutable.
 *
 * @param flushed those of level 0, newest first
 * @param leftOut those that are not read, of any level
 * @param read how many are read
 */
record ComponentSelection<Q>(
    List<DiskComponent<Q>> flushed, Set<DiskComponent<Q>> leftOut, int read) {

  /** All of them. */
  static <Q> ComponentSelection<Q> of(DiskComponents<Q> disk) {
    return new ComponentSelection<>(disk.flushed(), Set.of(), 0);
  }

  /**
   * Those that somebody has to read who wants certain values. From the oldest to the newest, since
   * one that does not cover what it hides is read once anything older is, unless the reader looks
   * at records anyway.
   */
  static <Q> ComponentSelection<Q> of(DiskComponents<Q> disk, RangeFilter.Wanted wanted) {
    List<DiskComponent<Q>> oldestFirst = new ArrayList<>(disk.all());
    Collections.reverse(oldestFirst);
    Set<DiskComponent<Q>> leftOut = new HashSet<>();
    boolean olderIsRead = false;
    for (DiskComponent<Q> component : oldestFirst) {
      RangeFilter filter = component.metadata().filter();
      boolean hides = filter.coverage() == RangeFilter.Coverage.HELD && !wanted.looksAtRecords();
      if (filter.mayHold(wanted) || (hides && olderIsRead)) {
        olderIsRead = true;
      } else {
        leftOut.add(component);
      }
    }
    return new ComponentSelection<>(
        without(disk.flushed(), leftOut), leftOut, oldestFirst.size() - leftOut.size());
  }

  /** How many are not read. */
  int skipped() {
    return leftOut.size();
  }

  /** Those of a level that are read. */
  List<DiskComponent<Q>> of(List<DiskComponent<Q>> level) {
    return leftOut.isEmpty() ? level : without(level, leftOut);
  }

  private static <Q> List<DiskComponent<Q>> without(
      List<DiskComponent<Q>> components, Set<DiskComponent<Q>> leftOut) {
    return components.stream().filter(component -> !leftOut.contains(component)).toList();
  }
}
