package dev.varve.simulator.calibration;

import dev.varve.common.merge.KeyInterval;
import dev.varve.common.merge.PartitionedDecision;
import dev.varve.common.merge.PartitionedPolicy;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.common.merge.PartitionedShape.Level;
import dev.varve.common.merge.RangedComponent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What {@link DecisionReplay} is, for levels that are cut by key range: told only which flushes,
 * merges and moves ended in which order and into what, it keeps the levels, the merges under way
 * and the rounds itself, and decides again. Confined to the caller.
 */
final class CutReplay {
  private final PartitionedPolicy policy;
  private final List<RangedComponent> flushed;
  private final List<Level> levels;
  private final List<PartitionedDecision> running = new ArrayList<>();
  private final Set<Long> merging = new HashSet<>();

  private CutReplay(PartitionedPolicy policy, PartitionedShape beginning) {
    this.policy = policy;
    this.flushed = new ArrayList<>(beginning.flushed());
    this.levels = new ArrayList<>(beginning.levels());
  }

  static DecisionReplay.Result of(Recording recording, PartitionedPolicy policy) {
    CutReplay replay =
        new CutReplay(policy, recording.moments().get(0).cut().orElseThrow().shape());
    int decisions = 0;
    for (Moment moment : recording.moments()) {
      Optional<String> difference =
          moment.cut().isPresent()
              ? replay.follow(moment.cut().get())
              : Optional.of("the components are not cut any more");
      if (difference.isPresent()) {
        return new DecisionReplay.Result(
            decisions, difference.map(text -> "after %.3f s: ".formatted(moment.seconds()) + text));
      }
      decisions += moment.cut().get().decision() instanceof PartitionedDecision.Wait ? 0 : 1;
    }
    return new DecisionReplay.Result(decisions, Optional.empty());
  }

  private Optional<String> follow(Moment.Cut cut) {
    takeEnded(cut.shape());
    takeFlushes(cut.shape());
    for (int level = 0; level <= Math.max(levels.size(), cut.shape().levels().size()); level++) {
      List<RangedComponent> there =
          level == 0 ? cut.shape().flushed() : cut.shape().level(level).components();
      if (!at(level).equals(there)) {
        return Optional.of(
            "components of level "
                + level
                + " are "
                + numbers(there)
                + ", not "
                + numbers(at(level)));
      }
    }
    PartitionedDecision decision = policy.decide(new PartitionedShape(flushed, levels, merging));
    if (!decision.equals(cut.decision())) {
      return Optional.of("the engine decided " + cut.decision() + ", not " + decision);
    }
    begin(decision);
    return Optional.empty();
  }

  private void begin(PartitionedDecision decision) {
    if (decision instanceof PartitionedDecision.Wait) {
      return;
    }
    running.add(decision);
    List<Long> inputs = inputs(decision);
    merging.addAll(inputs);
    if (decision instanceof PartitionedDecision.Merge merge) {
      merging.addAll(merge.overlapped());
    }
    int level = level(decision);
    if (level > 0) {
      long last = inputs.get(inputs.size() - 1);
      KeyInterval keys = find(at(level), Set.of(last)).get(0).keys();
      levels.set(level - 1, levels.get(level - 1).after(keys));
    }
  }

  /** Merges and moves whose inputs are not there any more have ended. */
  private void takeEnded(PartitionedShape seen) {
    for (PartitionedDecision decision : List.copyOf(running)) {
      int level = level(decision);
      List<RangedComponent> left = level == 0 ? seen.flushed() : seen.level(level).components();
      Set<Long> inputs = new HashSet<>(inputs(decision));
      if (find(left, inputs).isEmpty()) {
        running.remove(decision);
        end(decision, level, inputs, seen.level(level + 1));
      }
    }
  }

  private void end(PartitionedDecision decision, int level, Set<Long> inputs, Level seen) {
    List<RangedComponent> gone = find(at(level), inputs);
    merging.removeAll(inputs);
    remove(level, inputs);
    List<RangedComponent> come = gone;
    if (decision instanceof PartitionedDecision.Merge merge) {
      Set<Long> overlapped = new HashSet<>(merge.overlapped());
      KeyInterval span = span(gone, find(at(level + 1), overlapped));
      merging.removeAll(overlapped);
      remove(level + 1, overlapped);
      // Where a merge cuts its result depends on its entries, which a replay does not have.
      come = seen.overlapping(span);
    }
    add(level + 1, come);
  }

  private void takeFlushes(PartitionedShape seen) {
    long newest = 0;
    for (RangedComponent each : flushed) {
      newest = Math.max(newest, each.number());
    }
    for (RangedComponent each : seen.flushed()) {
      if (each.number() > newest) {
        flushed.add(each);
      }
    }
  }

  private List<RangedComponent> at(int level) {
    return level == 0
        ? flushed
        : level <= levels.size() ? levels.get(level - 1).components() : List.of();
  }

  private void remove(int level, Set<Long> numbers) {
    if (level == 0) {
      flushed.removeIf(each -> numbers.contains(each.number()));
    } else if (level <= levels.size()) {
      List<RangedComponent> left = new ArrayList<>(at(level));
      left.removeIf(each -> numbers.contains(each.number()));
      levels.set(level - 1, new Level(left, levels.get(level - 1).mergedLast()));
    }
  }

  private void add(int level, List<RangedComponent> come) {
    while (levels.size() < level) {
      levels.add(Level.EMPTY);
    }
    List<RangedComponent> all = new ArrayList<>(at(level));
    all.addAll(come);
    all.sort((one, other) -> one.keys().isBefore(other.keys()) ? -1 : one == other ? 0 : 1);
    levels.set(level - 1, new Level(all, levels.get(level - 1).mergedLast()));
  }

  private static int level(PartitionedDecision decision) {
    return decision instanceof PartitionedDecision.Merge merge
        ? merge.level()
        : ((PartitionedDecision.Move) decision).level();
  }

  private static List<Long> inputs(PartitionedDecision decision) {
    return decision instanceof PartitionedDecision.Merge merge
        ? merge.inputs()
        : List.of(((PartitionedDecision.Move) decision).number());
  }

  private static KeyInterval span(List<RangedComponent> some, List<RangedComponent> others) {
    KeyInterval span = some.get(0).keys();
    for (RangedComponent each : some) {
      span = span.span(each.keys());
    }
    for (RangedComponent each : others) {
      span = span.span(each.keys());
    }
    return span;
  }

  private static List<RangedComponent> find(List<RangedComponent> all, Set<Long> numbers) {
    return all.stream().filter(each -> numbers.contains(each.number())).toList();
  }

  private static List<Long> numbers(List<RangedComponent> components) {
    return components.stream().map(RangedComponent::number).toList();
  }
}
