package dev.varve.scheduler.tuner;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.scheduler.policy.LevelsByKeyPolicy;
import dev.varve.scheduler.policy.PartitionedLevelingPolicy;
import dev.varve.scheduler.policy.ReclaimingPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Pending merge bytes: what merges have to read until every level is within its size. Pure; no
 * state.
 */
public final class MergeDebt {
  private MergeDebt() {}

  /**
   * Of levels that are cut by key range, estimated as RocksDB does it: what is over the size of a
   * level goes down with what it overlaps of the next one, and makes that one larger.
   */
  public static long pendingBytes(PartitionedLevelingPolicy policy, PartitionedShape shape) {
    List<Long> levels = new ArrayList<>();
    levels.add(shape.flushed().stream().mapToLong(each -> each.bytes()).sum());
    shape.levels().forEach(level -> levels.add(level.bytes()));
    return pendingBytes(policy, shape.flushed().size(), levels);
  }

  /**
   * The same of sums.
   *
   * @param flushed how many components level 0 has
   * @param levelBytes of each level, level 0 first
   */
  public static long pendingBytes(
      PartitionedLevelingPolicy policy, int flushed, List<Long> levelBytes) {
    double pending = 0;
    double goesDown = 0;
    double base = policy.sizes().levelBytes();
    if (flushed >= policy.flushed().least() || levelBytes.get(0) >= base) {
      goesDown = levelBytes.get(0);
      pending = goesDown + bytes(levelBytes, 1);
    }
    for (int level = 1; level < levelBytes.size(); level++) {
      double size = levelBytes.get(level) + goesDown;
      goesDown = Math.max(0, size - base);
      if (goesDown > 0 && bytes(levelBytes, level + 1) > 0) {
        pending += goesDown * (bytes(levelBytes, level + 1) / size + 1);
      }
      base *= policy.sizeRatio();
    }
    return Math.round(pending);
  }

  private static double bytes(List<Long> levelBytes, int level) {
    return level < levelBytes.size() ? levelBytes.get(level) : 0;
  }

  /**
   * Of any index. A level of components that are cut by key range counts as one in its shape; one
   * that is empty is not there, so that those below it count as one level higher.
   */
  public static long pendingBytes(MergePolicy policy, IndexShape shape) {
    if (shape.flushed().isPresent()
        && ReclaimingPolicy.without(policy) instanceof LevelsByKeyPolicy levels) {
      int flushed = shape.flushed().getAsInt();
      int below = shape.components().size() - flushed;
      List<Long> bytes = new ArrayList<>();
      bytes.add(shape.components().stream().skip(below).mapToLong(ComponentStats::bytes).sum());
      for (int i = below - 1; i >= 0; i--) {
        bytes.add(shape.components().get(i).bytes());
      }
      return pendingBytes(levels.policy(), flushed, bytes);
    }
    return pendingBytesOfWholes(policy, shape);
  }

  /**
   * Of whole components: inputs of the merges that run, and of those that the policy would begin
   * beside them.
   */
  private static long pendingBytesOfWholes(MergePolicy policy, IndexShape shape) {
    Map<ComponentId, Long> bytes = new HashMap<>();
    for (ComponentStats component : shape.components()) {
      bytes.put(component.id(), component.bytes());
    }
    List<ComponentId> merging = new ArrayList<>(shape.merging());
    IndexShape asked = shape;
    while (policy.decide(asked) instanceof MergeDecision.Merge merge) {
      merging.addAll(merge.inputs());
      asked = new IndexShape(shape.components(), merging, shape.flushed(), shape.observation());
    }
    return merging.stream().mapToLong(id -> bytes.getOrDefault(id, 0L)).sum();
  }
}
