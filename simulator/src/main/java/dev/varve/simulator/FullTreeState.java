package dev.varve.simulator;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.scheduler.admission.ComponentLimit;
import dev.varve.scheduler.admission.WriteConditions.Usage;
import dev.varve.scheduler.policy.LeveledPolicy;
import dev.varve.scheduler.policy.ReclaimingPolicy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Components that hold any key, and which of them merge. Confined to the simulation. */
final class FullTreeState implements TreeState {
  private final SimulatedTree tree;
  private final MergePolicy policy;
  private final List<SimulatedComponent> components = new ArrayList<>();
  private final Set<ComponentId> merging = new HashSet<>();
  private long flushes;
  private long bytes;

  FullTreeState(SimulatedTree tree, MergePolicy policy) {
    this.tree = tree;
    this.policy = policy;
  }

  @Override
  public SimulatedTree tree() {
    return tree;
  }

  @Override
  public int size() {
    return components.size();
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public long liveBytes() {
    return components.isEmpty() ? 0 : union(components).bytes();
  }

  @Override
  public List<Long> levelBytes() {
    return List.of();
  }

  /** The tree as its policy sees it. */
  private IndexShape shape() {
    return new IndexShape(
        components.stream().map(SimulatedComponent::stats).toList(),
        components.stream().map(SimulatedComponent::id).filter(merging::contains).toList());
  }

  @Override
  public Usage usage() {
    return ComponentLimit.usage(policy, shape());
  }

  @Override
  public long limit() {
    int limit = policy.componentLimit(shape());
    return limit == MergePolicy.UNLIMITED ? Long.MAX_VALUE : limit;
  }

  @Override
  public void beginWith(List<ComponentStats> there) {
    for (ComponentStats stats : there) {
      components.add(new SimulatedComponent(stats, stats.entries(), 0));
      bytes += stats.bytes();
      flushes = stats.id().last();
    }
  }

  @Override
  public void flushed(double loaded, double updates) {
    flushes++;
    SimulatedComponent flushed = component(new ComponentId(flushes, flushes), loaded, updates);
    components.add(flushed);
    bytes += flushed.bytes();
  }

  @Override
  public Optional<MergeWork> beginMerge() {
    if (!(policy.decide(shape()) instanceof MergeDecision.Merge merge)) {
      return Optional.empty();
    }
    List<SimulatedComponent> inputs = run(merge.inputs());
    inputs.forEach(input -> merging.add(input.id()));
    return Optional.of(new Work(inputs, union(inputs), () -> {}));
  }

  /** The newest component. */
  Flushed newest() {
    return new Flushed(components.get(components.size() - 1));
  }

  /** A component that was in memory when it came. */
  final class Flushed {
    private final SimulatedComponent component;
    private boolean written;

    Flushed(SimulatedComponent component) {
      this.component = component;
    }

    double bytes() {
      return component.bytes();
    }

    /** Whether it is on disk, as it was or with others. */
    boolean merged() {
      return written || !components.contains(component);
    }

    boolean isReadBy(MergeWork work) {
      return work instanceof Work ours && ours.inputs.contains(component);
    }

    /** Whether nothing merges it, and the next older component is of another level. */
    boolean isAlone() {
      return !merging.contains(component.id()) && !isWithOthers();
    }

    private boolean isWithOthers() {
      if (!(ReclaimingPolicy.without(policy) instanceof LeveledPolicy leveled)) {
        return false;
      }
      List<Integer> levels = leveled.levels(shape());
      int last = levels.size() - 1;
      return last > 0 && levels.get(last - 1).equals(levels.get(last));
    }

    /** Writes it as it is. */
    MergeWork write() {
      merging.add(component.id());
      return new Work(List.of(component), component, () -> written = true);
    }
  }

  /** A merge of adjacent components, oldest first. */
  private final class Work implements MergeWork {
    private final List<SimulatedComponent> inputs;
    private final SimulatedComponent output;
    private final Runnable afterwards;

    Work(List<SimulatedComponent> inputs, SimulatedComponent output, Runnable afterwards) {
      this.inputs = inputs;
      this.output = output;
      this.afterwards = afterwards;
    }

    @Override
    public int fanIn() {
      return inputs.size();
    }

    @Override
    public long inputBytes() {
      return inputs.stream().mapToLong(SimulatedComponent::bytes).sum();
    }

    @Override
    public long outputBytes() {
      return output.bytes();
    }

    @Override
    public void publish() {
      merged(inputs, output);
      afterwards.run();
    }

    @Override
    public String describe() {
      return "merge of " + fanIn() + " components of " + tree.name() + " to " + output.id();
    }
  }

  private List<SimulatedComponent> run(List<ComponentId> ids) {
    int first = 0;
    while (first < components.size() && !components.get(first).id().equals(ids.get(0))) {
      first++;
    }
    int end = Math.min(components.size(), first + ids.size());
    List<SimulatedComponent> run = List.copyOf(components.subList(first, end));
    if (!run.stream().map(SimulatedComponent::id).toList().equals(ids)
        || ids.stream().anyMatch(merging::contains)) {
      throw new IllegalStateException(
          policy.describe() + " wants " + ids + " merged, out of " + shape());
    }
    return run;
  }

  /** What a merge of these components makes. */
  private SimulatedComponent union(List<SimulatedComponent> inputs) {
    return component(
        new ComponentId(inputs.get(0).id().first(), inputs.get(inputs.size() - 1).id().last()),
        inputs.stream().mapToDouble(SimulatedComponent::loaded).sum(),
        inputs.stream().mapToDouble(SimulatedComponent::updates).sum());
  }

  /** A merge has ended: its output takes the place of its inputs. */
  private void merged(List<SimulatedComponent> inputs, SimulatedComponent output) {
    int first = components.indexOf(inputs.get(0));
    assert components.subList(first, first + inputs.size()).equals(inputs) : inputs;
    components.subList(first, first + inputs.size()).clear();
    components.add(first, output);
    bytes += output.bytes() - inputs.stream().mapToLong(SimulatedComponent::bytes).sum();
    inputs.forEach(input -> merging.remove(input.id()));
  }

  private SimulatedComponent component(ComponentId id, double loaded, double updates) {
    // Antimatter goes where nothing older is left.
    long antimatter = id.first() == 1 ? 0 : Math.round(tree.keys().antimatter(updates));
    long entries = Math.max(1, Math.round(tree.keys().entries(loaded, updates))) + antimatter;
    return new SimulatedComponent(
        new ComponentStats(id, entries * tree.entryBytes(), entries, antimatter, -1),
        loaded,
        updates);
  }
}
