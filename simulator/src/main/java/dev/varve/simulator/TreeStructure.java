package dev.varve.simulator;

import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.PartitionedPolicy;
import dev.varve.scheduler.policy.PolicyText;
import dev.varve.scheduler.policy.ReclaimingPolicy;

/** How a tree keeps its disk components, and what merges them. Immutable. */
public sealed interface TreeStructure {
  /** What follows a policy whose first merge reads memory. */
  String FROM_MEMORY = " from memory";

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
   * Components that hold any key, the first merge of which reads memory: a memory component is not
   * flushed but merged with level 1, and comes free as that goes on. bLSM's (section 2.3).
   *
   * @param policy which of them merge
   */
  record FromMemory(MergePolicy policy) implements TreeStructure {
    @Override
    public String describe() {
      return policy.describe() + FROM_MEMORY;
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
    if (policy.endsWith(FROM_MEMORY)) {
      return new FromMemory(
          PolicyText.parse(policy.substring(0, policy.length() - FROM_MEMORY.length())));
    }
    MergePolicy merges = ReclaimingPolicy.of(PolicyText.parse(policy));
    return merges.partitioned().isPresent()
        ? new Partitioned(merges.partitioned().get())
        : new Full(merges);
  }
}
