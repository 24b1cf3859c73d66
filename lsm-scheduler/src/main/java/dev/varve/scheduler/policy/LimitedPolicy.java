package dev.varve.scheduler.policy;

import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergePolicy;

/**
 * A policy with another limit on the number of components than its own. Immutable.
 *
 * @param policy which components merge
 * @param components at how many of them writers wait, at least 1; {@link #UNLIMITED} for never.
 *     Lower keeps reads and space cheap, higher keeps writers from waiting for long merges.
 */
public record LimitedPolicy(MergePolicy policy, int components) implements ForwardingPolicy {
  /** Checks the limit. */
  public LimitedPolicy {
    if (components < 1) {
      throw new IllegalArgumentException("a limit of " + components + " components");
    }
  }

  @Override
  public int componentLimit(IndexShape shape) {
    return components;
  }

  @Override
  public String describe() {
    return policy.describe() + " limit " + (components == UNLIMITED ? "none" : components);
  }
}
