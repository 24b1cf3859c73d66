package dev.varve.scheduler.policy;

import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;

/**
 * Never merges (Storage Management in AsterixDB, section 5.2). Writers are not held back by the
 * number of components either, since no merge would ever lower it. Immutable.
 */
public record NoMergePolicy() implements MergePolicy {
  @Override
  public MergeDecision decide(IndexShape shape) {
    return new MergeDecision.Wait();
  }

  @Override
  public String describe() {
    return "no-merge";
  }
}
