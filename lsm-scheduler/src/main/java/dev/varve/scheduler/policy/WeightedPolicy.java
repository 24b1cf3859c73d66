package dev.varve.scheduler.policy;

import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.PartitionedPolicy;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A policy whose merges count more than others' when a scheduler divides the node's bandwidth. What
 * merges, and when, is as the policy alone decides. Immutable.
 *
 * @param policy which components merge
 * @param weight from 1 to 1,000
 */
public record WeightedPolicy(MergePolicy policy, int weight) implements ForwardingPolicy {
  /** What stands between a policy and its weight. */
  static final String WORD = "weight";

  private static final int LARGEST = 1_000;

  /** Checks the weight, and leaves no weight within a weight. */
  public WeightedPolicy {
    if (weight < 1 || weight > LARGEST) {
      throw new IllegalArgumentException(
          "a weight of " + weight + " is not between 1 and " + LARGEST);
    }
    if (policy instanceof WeightedPolicy) {
      throw new IllegalArgumentException("'" + WORD + "' stands behind a policy once");
    }
  }

  /** A policy without its weight. */
  static MergePolicy without(MergePolicy policy) {
    return policy instanceof WeightedPolicy weighted ? weighted.policy : policy;
  }

  /** Changes what is inside of the weight of a policy, if it has one. */
  public static MergePolicy inside(MergePolicy policy, UnaryOperator<MergePolicy> change) {
    return policy instanceof WeightedPolicy weighted
        ? new WeightedPolicy(change.apply(weighted.policy), weighted.weight)
        : change.apply(policy);
  }

  @Override
  public Optional<PartitionedPolicy> partitioned() {
    return policy.partitioned();
  }

  @Override
  public String describe() {
    return policy.describe() + " " + WORD + " " + weight;
  }
}
