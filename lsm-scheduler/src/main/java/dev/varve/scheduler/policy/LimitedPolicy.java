package dev.varve.scheduler.policy;

import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;

/**
 * A policy with another limit on the number of components than its own. Immutable.
 *
 * @param policy which components merge
 * @param components at how many of them writers wait, at least 1; {@link #UNLIMITED} for never.
 *     Lower keeps reads and space cheap, higher keeps writers from waiting for long merges.
 */
public record LimitedPolicy(MergePolicy policy, int components) implements MergePolicy {
  /** Checks the limit. */
  public LimitedPolicy {
    if (components < 1) {
      throw new IllegalArgumentException("a limit of " + components + " components");
    }
  }

  @Override
  public MergeDecision decide(IndexShape shape) {
    return policy.decide(shape);
  }

  @Override
  public int componentLimit(IndexShape shape) {
    return components;
  }

  @Override
  public int limitedComponents(IndexShape shape) {
    return policy.limitedComponents(shape);
  }

  @Override
  public String describe() {
    return policy.describe() + " limit " + (components == UNLIMITED ? "none" : components);
  }
}
