package dev.varve.scheduler.policy;

import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;

/**
 * A policy of levels under local constraints: each level takes at most twice what it is expected to
 * hold, 2 components for leveling and 2·T for tiering, and a merge waits while the level that its
 * result comes to has no room (On Performance Stability in LSM-based Storage Systems, section
 * 5.2.3). Writers wait for the first level only. There to be compared: the limit over all levels
 * absorbs more. Immutable.
 *
 * @param policy which components merge
 */
public record LocallyLimitedPolicy(LeveledPolicy policy) implements MergePolicy {
  @Override
  public MergeDecision decide(IndexShape shape) {
    return LocalLimit.decide(policy, shape);
  }

  @Override
  public int componentLimit(IndexShape shape) {
    return LocalLimit.perLevel(policy);
  }

  @Override
  public int limitedComponents(IndexShape shape) {
    return LocalLimit.beforeFlush(policy, shape);
  }

  @Override
  public String describe() {
    return policy.describe() + " limit local";
  }
}
