package dev.varve.common.index;

import dev.varve.common.component.ComponentId;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.maintenance.MaintenanceTask.Depth;
import dev.varve.common.merge.RangedComponent;
import java.util.List;

/**
 * What a merge reads and where its results go.
 *
 * @param runs the inputs; each run's components share no key and ascend; newer runs first
 * @param placement where the results go
 * @param dropsAntimatter whether nothing is left that antimatter or deleted keys could delete
 * @param moves whether the only input goes there as it is
 */
record MergePlan<Q>(
    List<List<DiskComponent<Q>>> runs,
    Placement placement,
    boolean dropsAntimatter,
    boolean moves) {
  /**
   * Where the results of a merge go.
   *
   * @param level which level they belong to; at level 0 there is one, in the place of the inputs
   * @param componentBytes the size at which a new component is begun
   * @param overlapBytes one is begun, too, when the last one overlaps more of the level behind
   * @param behind the components there that inputs overlap, ascending by key
   */
  record Placement(
      int level, long componentBytes, long overlapBytes, List<RangedComponent> behind) {
    /** One component in the place of the inputs. */
    static final Placement FLUSHED = new Placement(0, Long.MAX_VALUE, Long.MAX_VALUE, List.of());

    /** All of a level in components of a size. */
    static Placement whole(int level, long componentBytes) {
      return new Placement(level, componentBytes, Long.MAX_VALUE, List.of());
    }
  }

  MergePlan {
    runs = List.copyOf(runs);
    assert !runs.isEmpty();
    assert !moves || (runs.size() == 1 && runs.get(0).size() == 1) : runs;
  }

  List<DiskComponent<Q>> inputs() {
    return runs.stream().flatMap(List::stream).toList();
  }

  /** Of level 0 when the newest input is a flush that nothing has merged yet. */
  Depth depth() {
    List<DiskComponent<Q>> newest = runs.get(0);
    ComponentId id = newest.get(0).id();
    return newest.size() == 1 && id.first() == id.last() ? Depth.LEVEL_ZERO : Depth.DEEPER;
  }

  /** From the oldest flush of the inputs to the newest. */
  ComponentId target() {
    ComponentId target = runs.get(0).get(0).id();
    for (DiskComponent<Q> input : inputs()) {
      target =
          new ComponentId(
              Math.min(target.first(), input.id().first()),
              Math.max(target.last(), input.id().last()));
    }
    return target;
  }
}
