package dev.varve.scheduler.policy;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.KeyInterval;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.Observation;
import dev.varve.common.merge.PartitionedDecision;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.common.merge.RangedComponent;
import java.util.ArrayList;
import java.util.List;

/**
 * When what is obsolete is worth a merge of its own. Antimatter and deleted keys go only where
 * nothing older is left that they could delete, and with them what they delete. So such a merge
 * takes the components from the oldest on; below a level that is cut by key range it takes one
 * component with what it overlaps on the next level, down to the last.
 *
 * <p>A merge is worth it when the deletions in its inputs stand for a share of the entries that it
 * has to rewrite. Whole components: the deletions are gone afterwards, so each of them pays once,
 * and for all deletions together such merges rewrite at most 1/share times the entries that these
 * stand for. Components by key range: once for each level.
 *
 * <p>Superseded versions are no deletions, and count only where a bound on space is set: then a
 * merge is also worth it when all that is obsolete in its inputs, deleted or superseded, makes them
 * larger than what counts by more than the bound. Components by key range keep a bound of their
 * own. Pure and immutable.
 *
 * @param share of the entries that a merge rewrites, above 0; infinite for no such merges. Lower
 *     keeps less of what is deleted, and rewrites more for it. While nothing is written a fifth of
 *     it is enough
 * @param space how many times the entries that count there may be, above 1; infinite for any
 *     number. While nothing is written half of what is obsolete then is enough
 */
public record Reclaim(double share, double space) {
  /** What a policy has unless it says something else. */
  public static final Reclaim DEFAULT = new Reclaim(0.5, Double.POSITIVE_INFINITY);

  /** No merge for the sake of what is obsolete. */
  public static final Reclaim NEVER =
      new Reclaim(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

  /** What part of the share is enough while nothing is written. */
  private static final double QUIET_PART = 0.2;

  /** What part of what may be obsolete under a bound on space is enough then. */
  private static final double QUIET_PART_OF_SPACE = 0.5;

  /** Checks the numbers. */
  public Reclaim {
    if (!(share > 0) || (share > 1 && share != Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a share to reclaim of " + share + ", not above 0 to 1");
    }
    if (!(space > 1)) {
      throw new IllegalArgumentException("a bound on space of " + space + ", not above 1");
    }
  }

  /** Deletions, and the entries that a merge would rewrite for them. */
  private record Sum(long deletions, long superseded, long matter) {
    static final Sum NONE = new Sum(0, 0, 0);

    Sum plus(long entries, long antimatter) {
      return new Sum(
          deletions + antimatter, superseded, matter + Math.max(0, entries - antimatter));
    }

    Sum plus(ComponentStats component) {
      Sum sum = plus(component.entries(), component.antimatter());
      return new Sum(sum.deletions, superseded + component.superseding(), sum.matter);
    }

    /** The same rewritten together with these, whose deletions stay. */
    Sum over(List<RangedComponent> below) {
      long more = below.stream().mapToLong(each -> each.entries() - each.antimatter()).sum();
      return new Sum(deletions, superseded, matter + more);
    }

    /** For how much of what is rewritten the deletions stand. */
    double share(Observation observation) {
      double dead = deleted(observation);
      return dead == 0 ? 0 : Math.min(dead / matter, Double.MAX_VALUE);
    }

    /** How many entries are obsolete, for whatever reason. */
    double obsolete(Observation observation) {
      return deleted(observation) + superseded;
    }

    private double deleted(Observation observation) {
      return (double) deletions * observation.entriesPerDeletion();
    }
  }

  private static Sum sum(List<RangedComponent> components) {
    Sum sum = Sum.NONE;
    for (RangedComponent each : components) {
      sum = sum.plus(each.entries(), each.antimatter());
    }
    return sum;
  }

  private double least(Observation observation) {
    return observation.quiet() ? share * QUIET_PART : share;
  }

  /**
   * Whether deletions in memory, beside those on disk, are worth a flush and a merge after it.
   *
   * @param shape what is on disk
   */
  public boolean wantsFlush(IndexShape shape, long deletionsInMemory) {
    Sum disk = Sum.NONE;
    for (ComponentStats each : shape.components()) {
      disk = disk.plus(each);
    }
    boolean something = disk.matter + disk.deletions > 0 && deletionsInMemory > 0;
    Sum all = disk.plus(deletionsInMemory, deletionsInMemory);
    return something && all.share(shape.observation()) >= least(shape.observation());
  }

  /** Whether what is obsolete takes more than the bound on space leaves to it. */
  private boolean isLarge(Sum sum, Observation observation) {
    if (Double.isInfinite(space)) {
      return false;
    }
    double part = observation.quiet() ? QUIET_PART_OF_SPACE : 1;
    return sum.obsolete(observation) * space >= sum.matter * (space - 1) * part;
  }

  /** The longest run from the oldest component on that is worth a merge, if nothing merges. */
  MergeDecision decide(IndexShape shape) {
    if (!shape.merging().isEmpty()) {
      return new MergeDecision.Wait();
    }
    double least = least(shape.observation());
    Sum sum = Sum.NONE;
    int end = 0;
    List<ComponentStats> components = shape.components();
    for (int i = 0; i < components.size(); i++) {
      ComponentStats next = components.get(i);
      sum = sum.plus(next);
      boolean deletes = next.antimatter() > 0 && sum.share(shape.observation()) >= least;
      boolean obsoletes = next.antimatter() + next.superseding() > 0;
      if (deletes || (obsoletes && isLarge(sum, shape.observation()))) {
        end = i + 1;
      }
    }
    List<ComponentId> run = components.subList(0, end).stream().map(ComponentStats::id).toList();
    return end == 0 ? new MergeDecision.Wait() : new MergeDecision.Merge(run);
  }

  /** What goes down a level, its deletions with it, for the largest share of what it rewrites. */
  private record Candidate(
      int level, List<RangedComponent> inputs, List<RangedComponent> overlapped, double share) {
    PartitionedDecision decision() {
      return new PartitionedDecision.Merge(level, numbers(inputs), numbers(overlapped));
    }

    private static List<Long> numbers(List<RangedComponent> components) {
      return components.stream().map(RangedComponent::number).toList();
    }
  }

  /** The same for components by key range: those first whose deletions stand for the most. */
  PartitionedDecision decide(PartitionedShape shape) {
    PartitionedDecision best = new PartitionedDecision.Wait();
    if (!shape.merging().isEmpty()) {
      return best;
    }
    double most = least(shape.observation());
    for (Candidate each : candidates(shape)) {
      if (each.share >= most) {
        most = Math.nextUp(each.share);
        best = each.decision();
      }
    }
    return best;
  }

  private static List<Candidate> candidates(PartitionedShape shape) {
    List<Candidate> candidates = new ArrayList<>();
    if (sum(shape.flushed()).deletions > 0) {
      // All of them: none may overtake an older one.
      candidates.add(candidate(shape, 0, shape.flushed()));
    }
    for (int level = 1; level <= shape.levels().size(); level++) {
      for (RangedComponent each : shape.level(level).components()) {
        if (each.antimatter() > 0) {
          candidates.add(candidate(shape, level, List.of(each)));
        }
      }
    }
    return candidates;
  }

  private static Candidate candidate(
      PartitionedShape shape, int level, List<RangedComponent> inputs) {
    KeyInterval span = inputs.get(0).keys();
    for (RangedComponent input : inputs) {
      span = span.span(input.keys());
    }
    List<RangedComponent> overlapped = shape.level(level + 1).overlapping(span);
    double share = sum(inputs).over(overlapped).share(shape.observation());
    return new Candidate(level, inputs, overlapped, share);
  }

  /**
   * What becomes of a move: a component that would come down with its deletions, to where nothing
   * is left for them, is rewritten without them, so that the last level has few.
   */
  PartitionedDecision instead(PartitionedDecision.Move move, PartitionedShape shape) {
    List<RangedComponent> level =
        move.level() == 0 ? shape.flushed() : shape.level(move.level()).components();
    for (RangedComponent each : level) {
      if (each.number() == move.number()
          && sum(List.of(each)).share(Observation.NONE) >= share * QUIET_PART
          && nothingBelow(shape, move.level(), each.keys())) {
        return new PartitionedDecision.Merge(move.level(), List.of(each.number()), List.of());
      }
    }
    return move;
  }

  private static boolean nothingBelow(PartitionedShape shape, int level, KeyInterval keys) {
    for (int below = level + 1; below <= shape.levels().size(); below++) {
      if (!shape.level(below).overlapping(keys).isEmpty()) {
        return false;
      }
    }
    return true;
  }
}
