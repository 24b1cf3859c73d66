package dev.varve.scheduler.policy;

import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;

/**
 * Merges all disk components of an index when there are {@code components} of them (Storage
 * Management in AsterixDB, section 5.2). While a merge of the index waits or runs, nothing more is
 * started: a merge of all has to wait for its result anyway. Immutable.
 *
 * @param components the k of the paper, at least 2; more of them make writes cheaper and reads
 *     dearer
 */
public record ConstantPolicy(int components) implements MergePolicy {
  /** Checks the parameter. */
  public ConstantPolicy {
    if (components < 2) {
      throw new IllegalArgumentException(
          "constant(" + components + "): a merge needs at least 2 components");
    }
  }

  @Override
  public MergeDecision decide(IndexShape shape) {
    if (!shape.merging().isEmpty() || shape.components().size() < components) {
      return new MergeDecision.Wait();
    }
    return new MergeDecision.Merge(shape.components().stream().map(ComponentStats::id).toList());
  }

  @Override
  public int componentLimit(IndexShape shape) {
    return 2 * components;
  }

  @Override
  public String describe() {
    return "constant(" + components + ")";
  }
}
