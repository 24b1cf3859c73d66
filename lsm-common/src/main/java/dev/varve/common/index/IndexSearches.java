package dev.varve.common.index;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.DeadEntries.Dead;
import java.util.Map;
import java.util.function.Function;

/** Begins searches of an index, each in a snapshot of its components. Thread-safe. */
final class IndexSearches<Q> {
  private final IndexVersions<Q> versions;
  private final IndexCounters counters;
  private final DeadEntries<Q> dead;

  IndexSearches(IndexVersions<Q> versions, DeadEntries<Q> dead) {
    this.versions = versions;
    this.counters = versions.counters();
    this.dead = dead;
  }

  /** Searches all components. */
  @MustBeClosed
  LsmCursor all(Q predicate) throws StorageException {
    return search(predicate, list -> list.all);
  }

  /** Searches those that may have what is wanted. */
  @MustBeClosed
  LsmCursor selected(Q predicate, RangeFilter.Wanted wanted) throws StorageException {
    // Before the components: whatever has made an entry dead by then is among them.
    Map<DiskComponent<Q>, Dead> known = dead.known();
    return search(
        predicate,
        list -> {
          ComponentSelection<Q> selection = ComponentSelection.of(list.disk(), wanted, known);
          counters.rangeReads.add(selection.read());
          counters.rangeSkips.add(selection.skipped());
          return selection;
        });
  }

  @MustBeClosed
  private LsmCursor search(Q predicate, Function<ComponentList<Q>, ComponentSelection<Q>> selecting)
      throws StorageException {
    ComponentList<Q> list = versions.acquire();
    try {
      ComponentSelection<Q> selected = selecting.apply(list);
      return list.search(predicate, selected);
    } catch (StorageException | RuntimeException | Error e) {
      list.release();
      throw e;
    }
  }
}
