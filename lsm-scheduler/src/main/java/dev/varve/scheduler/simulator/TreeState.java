package dev.varve.scheduler.simulator;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.maintenance.Usage;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The disk components of a tree, and which of them merge. Confined to the simulation. */
final class TreeState {
  private final SimulatedTree tree;
  private final List<SimulatedComponent> components = new ArrayList<>();
  private final Set<ComponentId> merging = new HashSet<>();
  private long flushes;
  private long bytes;

  TreeState(SimulatedTree tree) {
    this.tree = tree;
  }

  SimulatedTree tree() {
    return tree;
  }

  int size() {
    return components.size();
  }

  long bytes() {
    return bytes;
  }

  /** What would be left if everything were merged into one. */
  long liveBytes() {
    return components.isEmpty() ? 0 : union(components).bytes();
  }

  /** The tree as its policy sees it. */
  IndexShape shape() {
    return new IndexShape(
        components.stream().map(SimulatedComponent::stats).toList(),
        components.stream().map(SimulatedComponent::id).filter(merging::contains).toList());
  }

  /** Components against the limit at which writes wait. */
  Usage usage() {
    IndexShape shape = shape();
    int limit = tree.policy().componentLimit(shape);
    return new Usage(
        tree.policy().limitedComponents(shape),
        limit == MergePolicy.UNLIMITED ? Long.MAX_VALUE : limit);
  }

  /** Loads the tree, a memory component at a time, and lets every merge end at once. */
  void load(double entriesPerFlush) {
    double left = tree.loaded();
    while (left > 0.5) {
      double loaded = Math.min(left, entriesPerFlush);
      left -= loaded;
      flushed(loaded, 0);
      Optional<List<SimulatedComponent>> merge = beginMerge();
      while (merge.isPresent()) {
        merged(merge.get(), union(merge.get()));
        merge = beginMerge();
      }
    }
  }

  /** The tree begins with these components, all of loaded keys. */
  void beginWith(List<ComponentStats> there) {
    for (ComponentStats stats : there) {
      components.add(new SimulatedComponent(stats, stats.entries(), 0));
      bytes += stats.bytes();
      flushes = stats.id().last();
    }
  }

  /** A memory component has become the newest disk component. */
  SimulatedComponent flushed(double loaded, double updates) {
    flushes++;
    SimulatedComponent flushed = component(new ComponentId(flushes, flushes), loaded, updates);
    components.add(flushed);
    bytes += flushed.bytes();
    return flushed;
  }

  /** Asks the policy once; what it wants merged is marked, and comes back oldest first. */
  Optional<List<SimulatedComponent>> beginMerge() {
    if (!(tree.policy().decide(shape()) instanceof MergeDecision.Merge merge)) {
      return Optional.empty();
    }
    List<SimulatedComponent> inputs = run(merge.inputs());
    inputs.forEach(input -> merging.add(input.id()));
    return Optional.of(inputs);
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
          tree.policy().describe() + " wants " + ids + " merged, out of " + shape());
    }
    return run;
  }

  /** What a merge of these components makes. */
  SimulatedComponent union(List<SimulatedComponent> inputs) {
    return component(
        new ComponentId(inputs.get(0).id().first(), inputs.get(inputs.size() - 1).id().last()),
        inputs.stream().mapToDouble(SimulatedComponent::loaded).sum(),
        inputs.stream().mapToDouble(SimulatedComponent::updates).sum());
  }

  /** A merge has ended: its output takes the place of its inputs. */
  void merged(List<SimulatedComponent> inputs, SimulatedComponent output) {
    int first = components.indexOf(inputs.get(0));
    assert components.subList(first, first + inputs.size()).equals(inputs) : inputs;
    components.subList(first, first + inputs.size()).clear();
    components.add(first, output);
    bytes += output.bytes() - inputs.stream().mapToLong(SimulatedComponent::bytes).sum();
    inputs.forEach(input -> merging.remove(input.id()));
  }

  private SimulatedComponent component(ComponentId id, double loaded, double updates) {
    long entries = Math.max(1, Math.round(tree.keys().entries(loaded, updates)));
    return new SimulatedComponent(
        new ComponentStats(id, entries * tree.entryBytes(), entries, 0, -1), loaded, updates);
  }
}
