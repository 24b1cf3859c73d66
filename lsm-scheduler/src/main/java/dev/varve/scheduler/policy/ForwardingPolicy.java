package dev.varve.scheduler.policy;

import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;

/** A policy around another one, which decides whatever is not said otherwise. Immutable. */
interface ForwardingPolicy extends MergePolicy {
  /** The policy inside. */
  MergePolicy policy();

  @Override
  default MergeDecision decide(IndexShape shape) {
    return policy().decide(shape);
  }

  @Override
  default int componentLimit(IndexShape shape) {
    return policy().componentLimit(shape);
  }

  @Override
  default boolean boundsSpace() {
    return policy().boundsSpace();
  }

  @Override
  default int limitedComponents(IndexShape shape) {
    return policy().limitedComponents(shape);
  }
}
