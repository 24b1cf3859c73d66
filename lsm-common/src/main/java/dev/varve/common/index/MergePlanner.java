package dev.varve.common.index;

import dev.varve.common.component.ComponentState;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.disk.DiskComponents;
import dev.varve.common.disk.DiskComponents.Membership;
import dev.varve.common.disk.KeyRun;
import dev.varve.common.index.MergePlan.Placement;
import dev.varve.common.merge.KeyInterval;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.Observation;
import dev.varve.common.merge.PartitionedDecision;
import dev.varve.common.merge.PartitionedPolicy;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.common.merge.RangedComponent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Shows the disk components of an index to its merge policy and makes a plan of the answer, after a
 * check that the plan is sound: a policy may be slow, but not lose what it merges. Immutable, and
 * it marks nothing: the caller holds the lock under which components change state, takes the plan
 * over and goes on with {@link Planned#after}.
 *
 * @param rounds by level, from 1 on, the keys that were merged into the next level last
 * @param observation what has been seen of the index last, besides its components
 */
record MergePlanner<Q>(List<Optional<KeyInterval>> rounds, Observation observation) {
  MergePlanner {
    rounds = List.copyOf(rounds);
  }

  /**
   * A plan and the planner for the time when the plan has been taken over.
   *
   * @param plan a merge or a move
   * @param after has the rounds of the levels as the plan leaves them
   */
  record Planned<Q>(MergePlan<Q> plan, MergePlanner<Q> after) {}

  /** One that tells the policy this. */
  MergePlanner<Q> seeing(Observation seen) {
    return new MergePlanner<>(rounds, seen);
  }

  /** What is to be done, or null when there is nothing. */
  @Nullable Planned<Q> next(DiskComponents<Q> disk, MergePolicy policy) {
    Optional<PartitionedPolicy> partitioned = policy.partitioned();
    if (disk.membership() == Membership.MANIFEST && partitioned.isPresent()) {
      return next(disk, partitioned.get());
    }
    return policy.decide(disk.shape().seen(observation)) instanceof MergeDecision.Merge merge
        ? new Planned<>(planOf(disk, disk.runs(merge.inputs())), this)
        : null;
  }

  /** A merge of everything there is. */
  MergePlan<Q> all(DiskComponents<Q> disk, MergePolicy policy) {
    if (disk.membership() == Membership.NAMES) {
      return planOf(disk, disk.runs());
    }
    long componentBytes =
        policy.partitioned().map(PartitionedPolicy::componentBytes).orElse(Long.MAX_VALUE);
    return new MergePlan<>(
        disk.runs(),
        Placement.whole(Math.max(1, disk.levels().size()), componentBytes),
        true,
        false);
  }

  /** A merge of adjacent runs: one component in the place of the oldest. */
  private MergePlan<Q> planOf(DiskComponents<Q> disk, List<List<DiskComponent<Q>>> runs) {
    List<List<DiskComponent<Q>>> all = disk.runs();
    boolean includesOldest = runs.get(runs.size() - 1).equals(all.get(all.size() - 1));
    int level = 0;
    for (int number = 1; number <= disk.levels().size(); number++) {
      level = runs.contains(disk.level(number).components()) ? number : level;
    }
    return new MergePlan<>(
        runs,
        level == 0 ? Placement.FLUSHED : Placement.whole(level, Long.MAX_VALUE),
        includesOldest,
        false);
  }

  private @Nullable Planned<Q> next(DiskComponents<Q> disk, PartitionedPolicy policy) {
    PartitionedDecision decision = policy.decide(shape(disk));
    if (decision instanceof PartitionedDecision.Wait) {
      return null;
    }
    Choice<Q> choice = choose(disk, decision);
    requireSound(disk, choice, policy);
    MergePlan<Q> plan = planOf(disk, choice, policy, decision instanceof PartitionedDecision.Move);
    return new Planned<>(plan, after(choice));
  }

  /** The rounds once a choice is carried out: what follows is behind its inputs. */
  private MergePlanner<Q> after(Choice<Q> choice) {
    if (choice.level == 0) {
      return this;
    }
    List<Optional<KeyInterval>> next = new ArrayList<>(rounds);
    while (next.size() < choice.level) {
      next.add(Optional.empty());
    }
    next.set(
        choice.level - 1, Optional.of(choice.inputs.get(choice.inputs.size() - 1).range().keys()));
    return new MergePlanner<>(next, observation);
  }

  private MergePlan<Q> planOf(
      DiskComponents<Q> disk, Choice<Q> choice, PartitionedPolicy policy, boolean moves) {
    List<List<DiskComponent<Q>>> runs = new ArrayList<>();
    if (choice.level == 0) {
      disk.flushed().stream()
          .filter(choice.inputs::contains)
          .forEach(each -> runs.add(List.of(each)));
    } else {
      runs.add(choice.inputs);
    }
    if (!choice.overlapped.isEmpty()) {
      runs.add(choice.overlapped);
    }
    int target = choice.level + 1;
    // What the inputs overlap may reach further than they do, and has antimatter of its own.
    KeyInterval span = choice.span();
    for (DiskComponent<Q> each : choice.overlapped) {
      span = span.span(each.range().keys());
    }
    List<RangedComponent> behind = disk.level(target + 1).level().overlapping(span);
    boolean dropsAntimatter = behind.isEmpty();
    for (int below = target + 2; below <= disk.levels().size(); below++) {
      dropsAntimatter &= disk.level(below).level().overlapping(span).isEmpty();
    }
    return new MergePlan<>(
        runs,
        new Placement(target, policy.componentBytes(), policy.overlapBytes(), behind),
        dropsAntimatter,
        moves);
  }

  /** The components that a policy chose. */
  private record Choice<Q>(
      int level, List<DiskComponent<Q>> inputs, List<DiskComponent<Q>> overlapped) {
    /** From the smallest to the largest key of the inputs. */
    KeyInterval span() {
      KeyInterval span = inputs.get(0).range().keys();
      for (DiskComponent<Q> input : inputs) {
        span = span.span(input.range().keys());
      }
      return span;
    }
  }

  private Choice<Q> choose(DiskComponents<Q> disk, PartitionedDecision decision) {
    if (decision instanceof PartitionedDecision.Move move) {
      List<DiskComponent<Q>> moved = find(at(disk, move.level()), List.of(move.number()));
      return new Choice<>(move.level(), moved, List.of());
    }
    if (decision instanceof PartitionedDecision.Merge merge) {
      return new Choice<>(
          merge.level(),
          find(at(disk, merge.level()), merge.inputs()),
          find(at(disk, merge.level() + 1), merge.overlapped()));
    }
    throw new IllegalArgumentException("unknown decision " + decision);
  }

  private List<DiskComponent<Q>> at(DiskComponents<Q> disk, int level) {
    return level == 0 ? disk.flushed() : disk.level(level).components();
  }

  private static <Q> List<DiskComponent<Q>> find(
      List<DiskComponent<Q>> components, List<Long> numbers) {
    List<DiskComponent<Q>> found = new ArrayList<>();
    for (long number : numbers) {
      for (DiskComponent<Q> component : components) {
        if (component.range().number() == number) {
          found.add(component);
        }
      }
    }
    if (found.size() != numbers.size()) {
      throw new IllegalStateException("the merge policy chose " + numbers + ": not all there");
    }
    return found;
  }

  /**
   * Requires that nothing is merged twice at a time, that all of the next level that the inputs
   * overlap is merged with them, and that no newer state of a key goes down before an older one.
   */
  private void requireSound(DiskComponents<Q> disk, Choice<Q> choice, PartitionedPolicy policy) {
    KeyInterval span = choice.span();
    List<RangedComponent> reached = disk.level(choice.level + 1).level().overlapping(span);
    boolean sound =
        reached.equals(choice.overlapped.stream().map(DiskComponent::range).toList())
            && new HashSet<>(choice.inputs).size() == choice.inputs.size();
    for (DiskComponent<Q> each : choice.inputs) {
      sound &= each.state() == ComponentState.ACTIVE;
    }
    for (DiskComponent<Q> each : choice.overlapped) {
      sound &= each.state() == ComponentState.ACTIVE;
    }
    if (choice.level > 0) {
      sound &= disk.level(choice.level).level().overlapping(span).size() == choice.inputs.size();
    } else {
      boolean newerTaken = false;
      for (DiskComponent<Q> each : disk.flushed()) {
        boolean taken = choice.inputs.contains(each);
        sound &= taken || !newerTaken || !each.range().keys().overlaps(span);
        sound &= each.state() == ComponentState.ACTIVE;
        newerTaken |= taken;
      }
    }
    if (!sound) {
      throw new IllegalStateException(
          policy.describe()
              + " may not merge these of level "
              + choice.level
              + " now: "
              + choice.inputs.stream().map(DiskComponent::range).toList());
    }
  }

  /** What a policy for partitioned levels sees. */
  private PartitionedShape shape(DiskComponents<Q> disk) {
    List<RangedComponent> flushed = new ArrayList<>();
    disk.flushed().forEach(component -> flushed.add(0, component.range()));
    List<PartitionedShape.Level> levels = new ArrayList<>();
    for (KeyRun<Q> run : disk.levels()) {
      Optional<KeyInterval> mergedLast =
          levels.size() < rounds.size() ? rounds.get(levels.size()) : Optional.empty();
      levels.add(
          new PartitionedShape.Level(run.level().components(), mergedLast, run.level().bytes()));
    }
    Set<Long> merging = new HashSet<>();
    for (DiskComponent<Q> component : disk.all()) {
      if (component.state() == ComponentState.MERGING) {
        merging.add(component.range().number());
      }
    }
    return new PartitionedShape(flushed, levels, merging, observation);
  }
}
