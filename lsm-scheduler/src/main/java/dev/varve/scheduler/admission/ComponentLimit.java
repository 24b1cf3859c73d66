package dev.varve.scheduler.admission;

import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergePolicy;
import dev.varve.scheduler.admission.WriteConditions.Usage;

/**
 * The component constraint of an index (On Performance Stability in LSM-based Storage Systems,
 * section 5.1.1): how many of its disk components count, and at how many writers wait. Pure; no
 * state.
 *
 * <p>The engine asks when a memory component is full and its successor would have to be flushed as
 * well: up to there writes go on as fast as they can, and from there on they stop, so that an index
 * never has more components than its limit.
 */
public final class ComponentLimit {
  /** Whether it helps to wait. */
  public enum Merges {
    /**
     * Something merges, or the policy is still to be asked what does: while the end of one merge is
     * published and the next one is not decided yet, whoever asked would get past the limit.
     */
    GO_ON,
    /** Nothing merges, and nothing will before the next flush. */
    REST
  }

  private ComponentLimit() {}

  /** Components against their limit, of an index whose policy has been asked. */
  public static Usage usage(MergePolicy policy, IndexShape shape) {
    return usage(policy, shape, shape.merging().isEmpty() ? Merges.REST : Merges.GO_ON);
  }

  /**
   * Components against their limit. While nothing merges there is no limit: nobody should wait for
   * what does not happen, be it because the limit is lower than what the policy merges at, or
   * because a merge failed.
   */
  public static Usage usage(MergePolicy policy, IndexShape shape, Merges merges) {
    int limit = policy.componentLimit(shape);
    boolean waitingHelps = limit != MergePolicy.UNLIMITED && merges == Merges.GO_ON;
    return new Usage(
        policy.limitedComponents(shape), waitingHelps ? limit : Usage.UNBOUNDED.limit());
  }
}
