package dev.varve.scheduler.policy;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import java.util.ArrayList;
import java.util.List;

/**
 * A limit on the components of each level instead of on all (On Performance Stability in LSM-based
 * Storage Systems, section 5.1.1): what would come to a level that is at its limit waits, be it a
 * merge of the level before or a flush. Stateless.
 */
final class LocalLimit {
  private LocalLimit() {}

  /** Twice what a level is expected to hold. */
  static int perLevel(LeveledPolicy policy) {
    return 2 * policy.componentsPerLevel();
  }

  /** The first merge that is due and has room for its result. */
  static MergeDecision decide(LeveledPolicy policy, IndexShape shape) {
    for (MergeDecision.Merge merge : policy.due(shape)) {
      if (hasRoom(policy, shape, merge.inputs())) {
        return merge;
      }
    }
    return new MergeDecision.Wait();
  }

  private static boolean hasRoom(LeveledPolicy policy, IndexShape shape, List<ComponentId> inputs) {
    List<ComponentStats> after = new ArrayList<>();
    int result = -1;
    long bytes = 0;
    for (ComponentStats component : shape.components()) {
      if (!inputs.contains(component.id())) {
        after.add(component);
        continue;
      }
      bytes += component.bytes();
      if (component.id().equals(inputs.get(inputs.size() - 1))) {
        result = after.size();
        after.add(stats(new ComponentId(inputs.get(0).first(), component.id().last()), bytes));
      }
    }
    assert result >= 0 : inputs;
    List<Integer> levels = policy.levels(new IndexShape(after, shape.merging()));
    int there = count(levels, levels.get(result));
    return there <= perLevel(policy) || there < sizeOfLevelOf(policy, shape, inputs.get(0));
  }

  /** How many components the level of this one holds. */
  private static int sizeOfLevelOf(LeveledPolicy policy, IndexShape shape, ComponentId id) {
    List<Integer> levels = policy.levels(shape);
    List<ComponentId> ids = shape.components().stream().map(ComponentStats::id).toList();
    return count(levels, levels.get(ids.indexOf(id)));
  }

  /**
   * How many components are at the level that the next flush comes to. A flush may fill level 1 as
   * it comes, and take what is there along to the next one; what it takes along does not count.
   */
  static int beforeFlush(LeveledPolicy policy, IndexShape shape) {
    List<ComponentStats> after = new ArrayList<>(shape.components());
    long flushes = after.isEmpty() ? 0 : after.get(after.size() - 1).id().last();
    after.add(stats(new ComponentId(flushes + 1, flushes + 1), policy.flushBytes(shape)));
    List<Integer> levels = policy.levels(new IndexShape(after, shape.merging()));
    int oldest = levels.indexOf(levels.get(levels.size() - 1));
    List<Integer> before = policy.levels(shape);
    return oldest == before.size()
        ? 0
        : count(before.subList(oldest, before.size()), before.get(oldest));
  }

  private static int count(List<Integer> levels, int level) {
    return (int) levels.stream().filter(other -> other == level).count();
  }

  /** What a policy looks at, of a component that is not there yet. */
  private static ComponentStats stats(ComponentId id, long bytes) {
    return new ComponentStats(id, bytes, 0, 0, -1);
  }
}
