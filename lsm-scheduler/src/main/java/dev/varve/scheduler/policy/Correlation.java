package dev.varve.scheduler.policy;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Merges of several indexes that are flushed together, decided for one of them: the components of a
 * primary index and of its secondaries then hold the same flushes, so that what is known of a
 * component of the one, like the range of a field, prunes those of the others. Pure; no state.
 */
public final class Correlation {
  private Correlation() {}

  /**
   * What another index does when the leading one merges: all of its components that hold nothing
   * but flushes of the merge. It waits when there is only one, when one of them is being merged, or
   * when a component reaches beyond the merge, because the index took part in other merges before.
   *
   * @param leading what was decided for the leading index
   * @param shape the other index
   */
  public static MergeDecision follow(MergeDecision leading, IndexShape shape) {
    if (!(leading instanceof MergeDecision.Merge merge)) {
      return leading;
    }
    List<ComponentId> inputs = merge.inputs();
    ComponentId target =
        new ComponentId(inputs.get(0).first(), inputs.get(inputs.size() - 1).last());
    List<ComponentId> touched =
        shape.components().stream()
            .map(ComponentStats::id)
            .filter(id -> id.first() <= target.last() && target.first() <= id.last())
            .toList();
    boolean whole =
        touched.stream().allMatch(id -> target.covers(id) && !shape.merging().contains(id));
    return whole && touched.size() > 1
        ? new MergeDecision.Merge(touched)
        : new MergeDecision.Wait();
  }

  /**
   * What another index does to be bounded as the leading one is: components that no boundary of the
   * leading index separates become one, the oldest of them first.
   *
   * <p>Ids do not tell which components hold the same flushes: an index without changes is not
   * flushed, and recovery flushes only what it had to redo. Component LSNs do, but for the records
   * of a transaction: so each component of the leading index keeps the boundary whose LSN is
   * nearest to its own. What is newer than the leading index's newest component waits for it.
   *
   * @param leading the leading index
   * @param shape the other index
   */
  public static MergeDecision align(IndexShape leading, IndexShape shape) {
    List<ComponentStats> components = shape.components();
    BitSet kept = new BitSet();
    for (ComponentStats component : leading.components()) {
      if (!components.isEmpty()) {
        kept.set(nearest(components, component.componentLsn()));
      }
    }
    List<ComponentId> run = new ArrayList<>();
    for (int position = 0; position < components.size(); position++) {
      run.add(components.get(position).id());
      if (kept.get(position)) {
        if (run.size() > 1 && run.stream().noneMatch(shape.merging()::contains)) {
          return new MergeDecision.Merge(run);
        }
        run.clear();
      }
    }
    return new MergeDecision.Wait();
  }

  private static int nearest(List<ComponentStats> components, long lsn) {
    int nearest = 0;
    for (int position = 1; position < components.size(); position++) {
      long distance = Math.abs(components.get(position).componentLsn() - lsn);
      if (distance <= Math.abs(components.get(nearest).componentLsn() - lsn)) {
        nearest = position;
      }
    }
    return nearest;
  }
}
