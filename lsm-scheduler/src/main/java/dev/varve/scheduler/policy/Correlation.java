package dev.varve.scheduler.policy;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
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
}
