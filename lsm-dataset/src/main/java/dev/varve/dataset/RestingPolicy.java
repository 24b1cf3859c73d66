package dev.varve.dataset;

import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.PartitionedDecision;
import dev.varve.common.merge.PartitionedPolicy;
import dev.varve.common.merge.PartitionedShape;
import java.util.Optional;

/**
 * The policy of an index that is only looked at: of the same form as its own, and nothing is ever
 * merged, nor does anybody wait for that. Immutable.
 *
 * @param own the index's policy
 */
record RestingPolicy(MergePolicy own) implements MergePolicy {
  @Override
  public MergeDecision decide(IndexShape shape) {
    return new MergeDecision.Wait();
  }

  @Override
  public Optional<PartitionedPolicy> partitioned() {
    return own.partitioned().map(Levels::new);
  }

  @Override
  public String describe() {
    return own.describe();
  }

  /** The same for an index with levels. */
  private record Levels(PartitionedPolicy own) implements PartitionedPolicy {
    @Override
    public PartitionedDecision decide(PartitionedShape shape) {
      return new PartitionedDecision.Wait();
    }

    @Override
    public int flushedLimit() {
      return UNLIMITED;
    }

    @Override
    public long componentBytes() {
      return own.componentBytes();
    }

    @Override
    public long overlapBytes() {
      return own.overlapBytes();
    }

    @Override
    public String describe() {
      return own.describe();
    }
  }
}
