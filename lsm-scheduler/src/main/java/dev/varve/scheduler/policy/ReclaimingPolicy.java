package dev.varve.scheduler.policy;

import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.PartitionedDecision;
import dev.varve.common.merge.PartitionedPolicy;
import dev.varve.common.merge.PartitionedShape;
import java.util.Optional;

/**
 * A policy that also gives back what is obsolete, and merges what is searched often: where it would
 * wait, and nothing merges, {@link Reclaim} decides, then {@link SearchDebt}. Where nothing was
 * deleted or, under a bound on space, superseded, and nothing is searched, it decides as the policy
 * alone. While writes go on, it begins nothing where the index has come half-way to its component
 * limit, so that writers do not wait for it. Immutable.
 *
 * @param policy which components merge whatever they hold
 * @param reclaim when what is obsolete is worth a merge
 */
public record ReclaimingPolicy(MergePolicy policy, Reclaim reclaim) implements ForwardingPolicy {
  /** What stands between a policy and its share. */
  static final String WORD = "reclaim";

  /** What stands between it and its bound on space. */
  static final String SPACE_WORD = "space";

  /** Leaves no rule within a rule. */
  public ReclaimingPolicy {
    if (policy instanceof ReclaimingPolicy) {
      throw new IllegalArgumentException(
          "'" + WORD + "' and '" + SPACE_WORD + "' stand behind a policy once");
    }
  }

  /**
   * A policy as an index uses it: with the default rule, unless it says another or never merges.
   */
  public static MergePolicy of(MergePolicy policy) {
    return WeightedPolicy.inside(
        policy,
        inner ->
            inner instanceof ReclaimingPolicy || neverMerges(inner)
                ? inner
                : new ReclaimingPolicy(inner, Reclaim.DEFAULT));
  }

  private static boolean neverMerges(MergePolicy policy) {
    if (policy instanceof LimitedPolicy limited) {
      return neverMerges(limited.policy());
    }
    if (policy instanceof CorrelatedPolicy correlated) {
      return neverMerges(correlated.policy());
    }
    return policy instanceof NoMergePolicy;
  }

  /** When what is obsolete is worth a merge to a policy. */
  public static Reclaim reclaimOf(MergePolicy policy) {
    return WeightedPolicy.without(of(policy)) instanceof ReclaimingPolicy reclaiming
        ? reclaiming.reclaim
        : Reclaim.NEVER;
  }

  /** A policy without the rule, and without its weight. */
  public static MergePolicy without(MergePolicy policy) {
    MergePolicy inner = WeightedPolicy.without(policy);
    return inner instanceof ReclaimingPolicy reclaiming ? reclaiming.policy : inner;
  }

  @Override
  public MergeDecision decide(IndexShape shape) {
    MergeDecision decision = policy.decide(shape);
    boolean room =
        shape.observation().quiet()
            || 2L * policy.limitedComponents(shape) <= policy.componentLimit(shape);
    if (!(decision instanceof MergeDecision.Wait) || !room) {
      return decision;
    }
    MergeDecision obsolete = reclaim.decide(shape);
    boolean asked = obsolete instanceof MergeDecision.Wait && Double.isFinite(reclaim.share());
    return asked ? SearchDebt.decide(shape) : obsolete;
  }

  @Override
  public boolean boundsSpace() {
    return Double.isFinite(reclaim.space());
  }

  @Override
  public Optional<PartitionedPolicy> partitioned() {
    return policy.partitioned().map(cut -> new Partitioned(cut, reclaim));
  }

  @Override
  public String describe() {
    return policy.describe() + (of(policy).equals(this) ? "" : suffix(reclaim));
  }

  private static String suffix(Reclaim reclaim) {
    StringBuilder text = new StringBuilder();
    if (reclaim.share() != Reclaim.DEFAULT.share() || Double.isInfinite(reclaim.space())) {
      text.append(' ').append(WORD).append(' ');
      text.append(Double.isInfinite(reclaim.share()) ? "none" : reclaim.share());
    }
    if (!Double.isInfinite(reclaim.space())) {
      text.append(' ').append(SPACE_WORD).append(' ').append(reclaim.space());
    }
    return text.toString();
  }

  /** The same for levels that are cut by key range. */
  private record Partitioned(PartitionedPolicy policy, Reclaim reclaim)
      implements PartitionedPolicy {
    @Override
    public PartitionedDecision decide(PartitionedShape shape) {
      PartitionedDecision decision = policy.decide(shape);
      if (decision instanceof PartitionedDecision.Move move) {
        return reclaim.instead(move, shape);
      }
      boolean room =
          shape.observation().quiet() || 2L * shape.flushed().size() <= policy.flushedLimit();
      return decision instanceof PartitionedDecision.Wait && room
          ? reclaim.decide(shape)
          : decision;
    }

    @Override
    public int flushedLimit() {
      return policy.flushedLimit();
    }

    @Override
    public long componentBytes() {
      return policy.componentBytes();
    }

    @Override
    public long overlapBytes() {
      return policy.overlapBytes();
    }

    @Override
    public String describe() {
      return policy.describe() + (reclaim.equals(Reclaim.DEFAULT) ? "" : suffix(reclaim));
    }
  }
}
