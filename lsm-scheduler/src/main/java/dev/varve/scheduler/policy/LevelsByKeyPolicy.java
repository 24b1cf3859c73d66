package dev.varve.scheduler.policy;

import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.PartitionedPolicy;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A policy for partitioned levels as the merge policy of indexes. Those whose components cannot be
 * cut by key range, which are all but B+-trees, have leveling with the same size ratio instead: the
 * same levels, merged as wholes. Immutable.
 *
 * @param policy what decides where components are cut
 */
public record LevelsByKeyPolicy(PartitionedLevelingPolicy policy) implements MergePolicy {
  /** A policy with other sizes where its levels are cut by key range; any other as it is. */
  public static MergePolicy scaled(MergePolicy policy, double part) {
    if (policy instanceof WeightedPolicy) {
      return WeightedPolicy.inside(policy, inner -> scaled(inner, part));
    }
    if (policy instanceof ReclaimingPolicy reclaiming) {
      return new ReclaimingPolicy(scaled(reclaiming.policy(), part), reclaiming.reclaim());
    }
    return policy instanceof LevelsByKeyPolicy levels
        ? new LevelsByKeyPolicy(levels.policy.scaledBy(part))
        : policy;
  }

  private LevelingPolicy whole() {
    return new LevelingPolicy(
        policy.sizeRatio(), OptionalLong.empty(), LevelingPolicy.LevelSizes.DYNAMIC);
  }

  @Override
  public MergeDecision decide(IndexShape shape) {
    return whole().decide(shape);
  }

  /** Writers wait for level 0; in an index of whole components for all, as leveling has it. */
  @Override
  public int componentLimit(IndexShape shape) {
    if (shape.flushed().isPresent() || policy.flushedLimit() == UNLIMITED) {
      return policy.flushedLimit();
    }
    return whole().componentLimit(shape);
  }

  @Override
  public int limitedComponents(IndexShape shape) {
    return shape.flushed().orElse(shape.components().size());
  }

  @Override
  public Optional<PartitionedPolicy> partitioned() {
    return Optional.of(policy);
  }

  @Override
  public String describe() {
    return policy.describe();
  }
}
