package dev.varve.scheduler.policy;

import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import java.util.function.Supplier;

/**
 * A policy that decides for the leading index of several that are flushed together; the others
 * follow it, so that their components are bounded by the same flushes. Immutable.
 *
 * @param policy what decides for the leading index
 */
public record CorrelatedPolicy(MergePolicy policy) implements ForwardingPolicy {
  @Override
  public String describe() {
    return "correlated(" + policy.describe() + ")";
  }

  /**
   * The policy of another index.
   *
   * @param leading the leading index as it is when the policy is asked
   */
  public MergePolicy following(Supplier<IndexShape> leading) {
    return new Following(this, leading);
  }

  /** Decides as {@link Correlation#align} says. */
  private record Following(CorrelatedPolicy correlated, Supplier<IndexShape> leading)
      implements MergePolicy {
    @Override
    public MergeDecision decide(IndexShape shape) {
      return Correlation.align(leading.get(), shape);
    }

    @Override
    public int componentLimit(IndexShape shape) {
      return correlated.componentLimit(shape);
    }

    @Override
    public int limitedComponents(IndexShape shape) {
      return correlated.limitedComponents(shape);
    }

    @Override
    public String describe() {
      return correlated.describe();
    }
  }
}
