package dev.varve.simulator;

import dev.varve.common.merge.PartitionedDecision;
import dev.varve.common.merge.PartitionedPolicy;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.common.merge.PartitionedShape.Level;
import dev.varve.common.merge.RangedComponent;
import dev.varve.scheduler.admission.WriteConditions.Usage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Flushed components over levels that are partitioned by key range, and which of them merge.
 * Confined to the simulation.
 */
final class PartitionedTreeState implements TreeState {
  private final SimulatedTree tree;
  private final PartitionedPolicy policy;
  private final RangeMerger merger;
  private final List<SimulatedRange> flushed = new ArrayList<>();
  private final List<Level> levels = new ArrayList<>();

  /** Of the levels from 1 on. */
  private final Map<Long, SimulatedRange> ranges = new HashMap<>();

  private final Set<Long> merging = new HashSet<>();
  private final List<Long> levelBytes = new ArrayList<>(List.of(0L));
  private long numbers;

  PartitionedTreeState(SimulatedTree tree, PartitionedPolicy policy) {
    this.tree = tree;
    this.policy = policy;
    this.merger = new RangeMerger(tree, policy);
  }

  @Override
  public SimulatedTree tree() {
    return tree;
  }

  @Override
  public int size() {
    int size = flushed.size();
    for (Level level : levels) {
      size += level.components().isEmpty() ? 0 : 1;
    }
    return size;
  }

  @Override
  public long bytes() {
    return levelBytes.stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public long liveBytes() {
    List<SimulatedRange> all = new ArrayList<>(flushed);
    all.addAll(ranges.values());
    return all.isEmpty() ? 0 : merger.bytesOfAll(all);
  }

  @Override
  public List<Long> levelBytes() {
    return List.copyOf(levelBytes);
  }

  private static long sum(Collection<SimulatedRange> ranges) {
    return ranges.stream().mapToLong(SimulatedRange::bytes).sum();
  }

  PartitionedShape shape() {
    return new PartitionedShape(
        flushed.stream().map(SimulatedRange::stats).toList(), levels, merging);
  }

  @Override
  public Usage usage() {
    // As the engine does it: nobody waits for what does not happen.
    return new Usage(flushed.size(), merging.isEmpty() ? Long.MAX_VALUE : limit());
  }

  @Override
  public long limit() {
    return policy.flushedLimit() == PartitionedPolicy.UNLIMITED
        ? Long.MAX_VALUE
        : policy.flushedLimit();
  }

  @Override
  public void beginWith(PartitionedShape there) {
    for (RangedComponent each : there.flushed()) {
      flushed.add(found(0, each));
    }
    for (Level level : there.levels()) {
      levels.add(level);
      for (RangedComponent each : level.components()) {
        ranges.put(each.number(), found(levels.size(), each));
      }
    }
  }

  private SimulatedRange found(int level, RangedComponent each) {
    numbers = Math.max(numbers, each.number());
    grow(level, each.bytes());
    return RangeMerger.there(each);
  }

  @Override
  public void flushed(double loaded, double updates) {
    SimulatedRange range = merger.flush(++numbers, loaded, updates);
    flushed.add(range);
    grow(0, range.bytes());
  }

  @Override
  public Optional<MergeWork> beginMerge() {
    while (true) {
      PartitionedDecision decision = policy.decide(shape());
      if (decision instanceof PartitionedDecision.Merge merge) {
        return Optional.of(begin(merge));
      }
      if (!(decision instanceof PartitionedDecision.Move move)) {
        return Optional.empty();
      }
      move(move);
    }
  }

  private Work begin(PartitionedDecision.Merge merge) {
    List<SimulatedRange> inputs = new ArrayList<>();
    for (long number : merge.inputs()) {
      inputs.add(find(merge.level(), number));
    }
    List<SimulatedRange> overlapped = new ArrayList<>();
    for (long number : merge.overlapped()) {
      overlapped.add(find(merge.level() + 1, number));
    }
    for (SimulatedRange input : concat(inputs, overlapped)) {
      if (!merging.add(input.stats().number())) {
        throw new IllegalStateException(policy.describe() + " wants merged twice: " + input);
      }
    }
    passed(merge.level(), inputs.get(inputs.size() - 1));
    return new Work(merge.level(), inputs, overlapped);
  }

  /** The round of a level has come to this component. */
  private void passed(int level, SimulatedRange last) {
    if (level > 0) {
      levels.set(level - 1, levels.get(level - 1).after(last.stats().keys()));
    }
  }

  private SimulatedRange find(int level, long number) {
    @Nullable SimulatedRange found =
        level == 0
            ? flushed.stream()
                .filter(each -> each.stats().number() == number)
                .findFirst()
                .orElse(null)
            : ranges.get(number);
    if (found == null) {
      throw new IllegalStateException(
          policy.describe() + " wants merged " + number + " of level " + level + ": not there");
    }
    return found;
  }

  private static List<SimulatedRange> concat(
      List<SimulatedRange> inputs, List<SimulatedRange> overlapped) {
    List<SimulatedRange> all = new ArrayList<>(inputs);
    all.addAll(overlapped);
    return all;
  }

  private void move(PartitionedDecision.Move move) {
    SimulatedRange moved = find(move.level(), move.number());
    passed(move.level(), moved);
    replace(move.level(), List.of(moved), List.of());
    replace(move.level() + 1, List.of(), List.of(moved));
  }

  /** Puts some ranges in the place of others, which are adjacent, at one level. */
  private void replace(int level, List<SimulatedRange> gone, List<SimulatedRange> come) {
    if (gone.isEmpty() && come.isEmpty()) {
      return;
    }
    grow(level, sum(come) - sum(gone));
    if (level == 0) {
      flushed.removeAll(gone);
      return;
    }
    while (levels.size() < level) {
      levels.add(Level.EMPTY);
    }
    Level before = levels.get(level - 1);
    List<RangedComponent> after = new ArrayList<>(before.components());
    int at = before.position((gone.isEmpty() ? come : gone).get(0).stats().keys());
    List<RangedComponent> place = after.subList(at, at + gone.size());
    if (!place.equals(gone.stream().map(SimulatedRange::stats).toList())) {
      throw new IllegalStateException(policy.describe() + " wants replaced what is not adjacent");
    }
    place.clear();
    gone.forEach(each -> ranges.remove(each.stats().number()));
    come.forEach(each -> ranges.put(each.stats().number(), each));
    after.addAll(at, come.stream().map(SimulatedRange::stats).toList());
    levels.set(
        level - 1, new Level(after, before.mergedLast(), before.bytes() + sum(come) - sum(gone)));
  }

  private void grow(int level, long bytes) {
    while (levelBytes.size() <= level) {
      levelBytes.add(0L);
    }
    levelBytes.set(level, levelBytes.get(level) + bytes);
  }

  /** A merge of components of a level with what they overlap on the next one. */
  private final class Work implements MergeWork {
    private final int level;
    private final List<SimulatedRange> inputs;
    private final List<SimulatedRange> overlapped;
    private final List<SimulatedRange> outputs;

    Work(int level, List<SimulatedRange> inputs, List<SimulatedRange> overlapped) {
      this.level = level;
      this.inputs = inputs;
      this.overlapped = overlapped;
      this.outputs =
          merger.merge(concat(inputs, overlapped), shape().level(level + 2), () -> ++numbers);
    }

    @Override
    public int fanIn() {
      return inputs.size() + overlapped.size();
    }

    @Override
    public long inputBytes() {
      return sum(inputs) + sum(overlapped);
    }

    @Override
    public long outputBytes() {
      return sum(outputs);
    }

    @Override
    public void publish() {
      replace(level, inputs, List.of());
      replace(level + 1, overlapped, outputs);
      concat(inputs, overlapped).forEach(each -> merging.remove(each.stats().number()));
    }

    @Override
    public String describe() {
      return "merge of "
          + inputs.size()
          + " components of level "
          + level
          + " of "
          + tree.name()
          + " with "
          + overlapped.size()
          + " of the next";
    }
  }
}
