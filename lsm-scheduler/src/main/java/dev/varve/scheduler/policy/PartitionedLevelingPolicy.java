package dev.varve.scheduler.policy;

import dev.varve.common.merge.KeyInterval;
import dev.varve.common.merge.PartitionedDecision;
import dev.varve.common.merge.PartitionedPolicy;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.common.merge.PartitionedShape.Level;
import dev.varve.common.merge.RangedComponent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Leveling over components that are partitioned by key range, as LevelDB does it (On Performance
 * Stability in LSM-based Storage Systems, sections 2.1 and 6.1). Each level has a score: level 0
 * the number of flushed components over the least number to merge, the others their bytes over what
 * they may hold. The level with the largest score is merged if that is at least 1: of level 0 many
 * components at once, of another level one, each with what it overlaps on the next level.
 * Immutable.
 *
 * @param sizeRatio how much more a level holds than the one before, from 2 to 100
 * @param sizes of the first level and of a component
 * @param flushed what happens at level 0
 * @param selection which component of a level is merged next
 * @param concurrency whether merges go on at the same time
 */
public record PartitionedLevelingPolicy(
    int sizeRatio, Sizes sizes, Flushed flushed, Selection selection, Concurrency concurrency)
    implements PartitionedPolicy {
  /** How many times its own size a component may overlap of the next level; LevelDB's. */
  private static final long OVERLAPS = 10;

  /** How a partitioned policy is called. */
  static final String NAME = "partitioned-leveling";

  /** Which component of a level is merged next. */
  public enum Selection {
    /** The one behind the component that was merged last, and the first one behind the last. */
    ROUND_ROBIN,
    /** The one that overlaps the fewest of the next level; of equal ones as a round would. */
    BEST
  }

  /** How many flushed components are merged at once. */
  public enum Taking {
    /** All that overlap each other, which are as many as possible. */
    ALL,
    /**
     * Exactly the least number, and the score counts no more than those: however many wait, level 0
     * does not go before a level that is over its size (section 6.2 of the paper).
     */
    EXACT
  }

  /** Whether merges go on at the same time. */
  public enum Concurrency {
    /** One at a time, as LevelDB's single thread: the scores are looked at when it has ended. */
    SINGLE,
    /** As many as have no component in common. */
    MANY
  }

  /**
   * Sizes in bytes.
   *
   * @param levelBytes what level 1 may hold
   * @param componentBytes the size at which a merge begins a new component
   */
  public record Sizes(long levelBytes, long componentBytes) {
    /** Checks both. */
    public Sizes {
      if (levelBytes < 1 || componentBytes < 1) {
        throw new IllegalArgumentException(
            NAME + ": " + levelBytes + " bytes of level 1 in components of " + componentBytes);
      }
    }
  }

  /**
   * What happens at level 0.
   *
   * @param least how many components are merged at least
   * @param taking how many are
   * @param limit at how many of them writers wait
   */
  public record Flushed(int least, Taking taking, int limit) {
    /** Checks the numbers. */
    public Flushed {
      if (least < 1 || limit < least) {
        throw new IllegalArgumentException(
            NAME + ": merges from " + least + " flushed components on, writers wait at " + limit);
      }
    }
  }

  /** Checks the size ratio. */
  public PartitionedLevelingPolicy {
    if (sizeRatio < 2 || sizeRatio > 100) {
      throw new IllegalArgumentException(
          NAME + ": size ratio " + sizeRatio + " is not between 2 and 100");
    }
  }

  /** The same with levels and components of another size, both in proportion. */
  public PartitionedLevelingPolicy scaledBy(double part) {
    Sizes scaled =
        new Sizes(
            Math.max(1, Math.round(sizes.levelBytes * part)),
            Math.max(1, Math.round(sizes.componentBytes * part)));
    return new PartitionedLevelingPolicy(sizeRatio, scaled, flushed, selection, concurrency);
  }

  @Override
  public PartitionedDecision decide(PartitionedShape shape) {
    if (concurrency == Concurrency.SINGLE && !shape.merging().isEmpty()) {
      return new PartitionedDecision.Wait();
    }
    for (Scored scored : due(shape)) {
      PartitionedDecision decision =
          scored.level == 0 ? mergeFlushed(shape) : mergeOne(shape, scored.level);
      if (!(decision instanceof PartitionedDecision.Wait)) {
        return decision;
      }
    }
    return new PartitionedDecision.Wait();
  }

  /** A level and how full it is. */
  private record Scored(int level, double score) {}

  /** Levels that are full, the fullest first; of equally full ones the lower. */
  private List<Scored> due(PartitionedShape shape) {
    List<Scored> due = new ArrayList<>();
    for (int level = 0; level <= shape.levels().size(); level++) {
      double score = score(shape, level);
      if (score >= 1) {
        due.add(new Scored(level, score));
      }
    }
    due.sort(Comparator.comparingDouble(Scored::score).reversed());
    return due;
  }

  /** How full a level is, without what a merge takes out of it already. */
  double score(PartitionedShape shape, int level) {
    if (level == 0) {
      long count = shape.flushed().stream().filter(each -> !isMerging(shape, each)).count();
      return (double) (flushed.taking == Taking.EXACT ? Math.min(count, flushed.least) : count)
          / flushed.least;
    }
    double bytes = shape.level(level).bytes();
    if (!shape.merging().isEmpty()) {
      for (RangedComponent component : shape.level(level).components()) {
        bytes -= isMerging(shape, component) ? component.bytes() : 0;
      }
    }
    return bytes / (sizes.levelBytes * Math.pow(sizeRatio, level - 1));
  }

  private static boolean isMerging(PartitionedShape shape, RangedComponent component) {
    return shape.merging().contains(component.number());
  }

  /** The oldest components, for what is newer must not overtake them. */
  private PartitionedDecision mergeFlushed(PartitionedShape shape) {
    if (shape.flushed().stream().anyMatch(each -> isMerging(shape, each))) {
      return new PartitionedDecision.Wait();
    }
    List<RangedComponent> inputs =
        switch (flushed.taking) {
          case ALL -> overlappingOldest(shape.flushed());
          case EXACT -> shape.flushed().subList(0, flushed.least);
        };
    return merge(shape, 0, inputs);
  }

  /**
   * The oldest component and, again and again, all whose keys overlap what is taken already. Others
   * may stay, for they share no key with those that go.
   */
  private static List<RangedComponent> overlappingOldest(List<RangedComponent> flushed) {
    KeyInterval span = flushed.get(0).keys();
    List<RangedComponent> taken = List.of();
    List<RangedComponent> next = flushed.subList(0, 1);
    while (next.size() > taken.size()) {
      taken = next;
      for (RangedComponent component : taken) {
        span = span.span(component.keys());
      }
      KeyInterval all = span;
      next = flushed.stream().filter(each -> each.keys().overlaps(all)).toList();
    }
    return taken;
  }

  private PartitionedDecision mergeOne(PartitionedShape shape, int level) {
    Level from = shape.level(level);
    int size = from.components().size();
    int start = startOfRound(from);
    PartitionedDecision best = new PartitionedDecision.Wait();
    int fewest = Integer.MAX_VALUE;
    for (int i = 0; i < size && fewest > 0; i++) {
      RangedComponent component = from.components().get((start + i) % size);
      int overlaps = shape.level(level + 1).overlapping(component.keys()).size();
      if (overlaps >= fewest || isMerging(shape, component)) {
        continue;
      }
      PartitionedDecision found = merge(shape, level, List.of(component));
      if (found instanceof PartitionedDecision.Wait) {
        continue;
      }
      if (selection == Selection.ROUND_ROBIN) {
        return found;
      }
      best = found;
      fewest = overlaps;
    }
    return best;
  }

  private static int startOfRound(Level level) {
    if (level.mergedLast().isEmpty()) {
      return 0;
    }
    KeyInterval last = level.mergedLast().get();
    List<RangedComponent> components = level.components();
    for (int i = 0; i < components.size(); i++) {
      if (components.get(i).keys().endsAfter(last)) {
        return i;
      }
    }
    return 0;
  }

  /** Merges or moves these components; waits when another merge has what they overlap. */
  private PartitionedDecision merge(
      PartitionedShape shape, int level, List<RangedComponent> inputs) {
    KeyInterval span = inputs.get(0).keys();
    for (RangedComponent input : inputs) {
      span = span.span(input.keys());
    }
    List<RangedComponent> overlapped = shape.level(level + 1).overlapping(span);
    if (overlapped.stream().anyMatch(each -> isMerging(shape, each))) {
      return new PartitionedDecision.Wait();
    }
    if (inputs.size() == 1
        && overlapped.isEmpty()
        && bytes(shape.level(level + 2).overlapping(span)) <= overlapBytes()) {
      return new PartitionedDecision.Move(level, inputs.get(0).number());
    }
    return new PartitionedDecision.Merge(level, numbers(inputs), numbers(overlapped));
  }

  private static double bytes(List<RangedComponent> components) {
    double bytes = 0;
    for (RangedComponent component : components) {
      bytes += component.bytes();
    }
    return bytes;
  }

  private static List<Long> numbers(List<RangedComponent> components) {
    return components.stream().map(RangedComponent::number).toList();
  }

  @Override
  public int flushedLimit() {
    return flushed.limit;
  }

  @Override
  public long componentBytes() {
    return sizes.componentBytes;
  }

  @Override
  public long overlapBytes() {
    return sizes.componentBytes > Long.MAX_VALUE / OVERLAPS
        ? Long.MAX_VALUE
        : OVERLAPS * sizes.componentBytes;
  }

  @Override
  public String describe() {
    return NAME
        + "("
        + sizeRatio
        + ", "
        + sizes.levelBytes
        + ", "
        + sizes.componentBytes
        + ", "
        + flushed.least
        + (selection == Selection.BEST ? ", best" : "")
        + (flushed.taking == Taking.EXACT ? ", exact" : "")
        + (concurrency == Concurrency.MANY ? ", concurrent" : "")
        + ") limit "
        + (flushed.limit == UNLIMITED ? "none" : Integer.toString(flushed.limit));
  }
}
