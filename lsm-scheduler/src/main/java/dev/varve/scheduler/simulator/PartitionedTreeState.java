package dev.varve.scheduler.simulator;

import dev.varve.common.maintenance.Usage;
import dev.varve.common.merge.PartitionedDecision;
import dev.varve.common.merge.PartitionedPolicy;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.common.merge.PartitionedShape.Level;
import dev.varve.common.merge.RangedComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
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
  private long numbers;

  PartitionedTreeState(SimulatedTree tree, PartitionedPolicy policy) {
    this.tree = tree;
    this.policy = policy;
    this.merger = new RangeMerger(tree, policy.componentBytes());
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
    return levelBytes().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public long liveBytes() {
    List<SimulatedRange> all = new ArrayList<>(flushed);
    all.addAll(ranges.values());
    return all.isEmpty() ? 0 : merger.bytesOfAll(all);
  }

  @Override
  public List<Long> levelBytes() {
    List<Long> bytes = new ArrayList<>();
    bytes.add(sum(flushed));
    for (Level level : levels) {
      long sum = 0;
      for (RangedComponent component : level.components()) {
        sum += component.bytes();
      }
      bytes.add(sum);
    }
    return bytes;
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
  public void flushed(double loaded, double updates) {
    flushed.add(merger.flush(++numbers, loaded, updates));
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
      levels.set(
          level - 1,
          new Level(levels.get(level - 1).components(), Optional.of(last.stats().keys())));
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
    remove(move.level(), List.of(moved));
    add(move.level() + 1, List.of(moved));
  }

  private void remove(int level, List<SimulatedRange> gone) {
    if (gone.isEmpty()) {
      return;
    }
    if (level == 0) {
      flushed.removeAll(gone);
      return;
    }
    Set<Long> numbersGone = new HashSet<>();
    gone.forEach(each -> numbersGone.add(each.stats().number()));
    ranges.keySet().removeAll(numbersGone);
    List<RangedComponent> left = new ArrayList<>(levels.get(level - 1).components());
    left.removeIf(each -> numbersGone.contains(each.number()));
    levels.set(level - 1, new Level(left, levels.get(level - 1).mergedLast()));
  }

  private void add(int level, List<SimulatedRange> come) {
    while (levels.size() < level) {
      levels.add(Level.EMPTY);
    }
    List<RangedComponent> all = new ArrayList<>(levels.get(level - 1).components());
    for (SimulatedRange each : come) {
      all.add(each.stats());
      ranges.put(each.stats().number(), each);
    }
    all.sort(Comparator.comparing(each -> each.keys().smallest(), (a, b) -> a.compareBytes(b)));
    levels.set(level - 1, new Level(all, levels.get(level - 1).mergedLast()));
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
      this.outputs = merger.merge(concat(inputs, overlapped), () -> ++numbers);
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
      remove(level, inputs);
      remove(level + 1, overlapped);
      add(level + 1, outputs);
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
