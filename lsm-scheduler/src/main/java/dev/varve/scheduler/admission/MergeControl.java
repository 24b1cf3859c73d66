package dev.varve.scheduler.admission;

import static java.util.Comparator.comparingDouble;
import static java.util.Comparator.comparingLong;

import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergePolicy;
import dev.varve.scheduler.tuner.IndexFlow;
import dev.varve.scheduler.tuner.StallClass;
import dev.varve.scheduler.tuner.WriteController;
import dev.varve.scheduler.tuner.WriteLimits;
import java.util.List;
import java.util.Optional;

/**
 * RocksDB's write controller over the indexes of a dataset: it is asked again when the components
 * of one of them have changed, so after each of their flushes and merges, and not in between. What
 * counts is the worst index whose merges go on, as with column families: nobody should wait for
 * what does not happen. Immutable; pure.
 *
 * @param limits where writers slow down and stop; those of the index that it is about may be lower
 * @param controller what it says
 * @param index the index that it is about, as {@code LsmIndex.describe} says it; empty for none
 * @param seen the components of every index when it was asked last
 */
record MergeControl(
    WriteLimits limits, WriteController controller, String index, List<List<ComponentStats>> seen) {
  /**
   * An index as the controller is asked about it.
   *
   * @param name as {@code LsmIndex.describe} says it
   * @param policy what decides its merges
   * @param shape its components
   * @param merges whether it helps to wait
   */
  record Asked(String name, MergePolicy policy, IndexShape shape, ComponentLimit.Merges merges) {
    boolean counts() {
      return merges == ComponentLimit.Merges.GO_ON;
    }

    IndexFlow flow() {
      return IndexFlow.of(name, policy, shape);
    }
  }

  /** A controller that holds nobody back. */
  static MergeControl of(WriteLimits limits) {
    return new MergeControl(limits, WriteController.of(limits), "", List.of());
  }

  /** Copies the list. */
  MergeControl {
    seen = List.copyOf(seen);
  }

  /** What it says of these indexes. */
  MergeControl next(WriteLimits asked, List<Asked> indexes) {
    List<List<ComponentStats>> now =
        indexes.stream().map(index -> index.shape().components()).toList();
    if (now.equals(seen) && asked.equals(limits)) {
      return this;
    }
    List<IndexFlow> flows = indexes.stream().filter(Asked::counts).map(Asked::flow).toList();
    Optional<IndexFlow> worst = flows.stream().max(comparingDouble(flow -> part(asked, flow)));
    Optional<IndexFlow> most = flows.stream().max(comparingLong(IndexFlow::pendingBytes));
    WriteLimits within = worst.map(flow -> asked.within(flow.level0Limit())).orElse(asked);
    WriteController says =
        controller
            .withLimits(within)
            .next(
                worst.map(IndexFlow::level0Components).orElse(0),
                most.map(IndexFlow::pendingBytes).orElse(0L));
    assert !flows.isEmpty() || says.state() == WriteController.State.FREE : says;
    Optional<IndexFlow> about =
        says.cause().equals(Optional.of(StallClass.LEVEL_ZERO)) ? worst : most;
    return new MergeControl(asked, says, about.map(IndexFlow::name).orElse(""), now);
  }

  /** How near an index is to where writers stop. */
  private static double part(WriteLimits limits, IndexFlow flow) {
    return (double) flow.level0Components() / limits.within(flow.level0Limit()).level0Stop();
  }
}
