package dev.varve.scheduler.simulator;

import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.PartitionedPolicy;
import dev.varve.scheduler.policy.PartitionedPolicyText;
import dev.varve.scheduler.policy.PolicyText;

/** How a tree keeps its disk components, and what merges them. Immutable. */
public sealed interface TreeStructure {
  /** Name and parameters of the policy, as options and reports write them. */
  String describe();

  /**
   * Components that hold any key; merges are of whole components.
   *
   * @param policy which of them merge, and at how many of them writes wait
   */
  record Full(MergePolicy policy) implements TreeStructure {
    @Override
    public String describe() {
      return policy.describe();
    }
  }

  /**
   * Levels that are partitioned by key range below what was flushed.
   *
   * @param policy which components merge, and at how many flushed ones writes wait
   */
  record Partitioned(PartitionedPolicy policy) implements TreeStructure {
    @Override
    public String describe() {
      return policy.describe();
    }
  }

  /**
   * The structure that a policy is for.
   *
   * @throws IllegalArgumentException saying what is wrong and what would be right
   */
  static TreeStructure parse(String policy) {
    return PartitionedPolicyText.isMeant(policy)
        ? new Partitioned(PartitionedPolicyText.parse(policy))
        : new Full(PolicyText.parse(policy));
  }
}
