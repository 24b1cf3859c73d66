package dev.varve.scheduler.policy;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import java.util.ArrayList;
import java.util.List;

/**
 * A policy that sorts the components of an index into levels by their sizes, and merges a fixed
 * number of them once a level has that many: the merges of On Performance Stability in LSM-based
 * Storage Systems, section 2.1, of which there is at most one for each level at a time. Pure and
 * immutable.
 */
public interface LeveledPolicy extends MergePolicy {
  /**
   * The level of each component, oldest first as in the shape. Level 1 is the one of flushes, and
   * an older component never has a lower level than a newer one: only adjacent components can
   * merge, so a level is a run of them.
   */
  List<Integer> levels(IndexShape shape);

  /** The size of a flush of this index. */
  long flushBytes(IndexShape shape);

  /** How many levels an index of this size has when merges keep up; at least 1. */
  int expectedLevels(IndexShape shape);

  /** How many components a level has at most when merges keep up: T for tiering, 1 for leveling. */
  int componentsPerLevel();

  /** How many components of a level merge at a time. */
  int inputsPerMerge();

  /** What merges now, newest level first: the oldest components of each level that has enough. */
  default List<MergeDecision.Merge> due(IndexShape shape) {
    List<Integer> levels = levels(shape);
    List<MergeDecision.Merge> due = new ArrayList<>();
    int end = levels.size();
    while (end > 0) {
      int begin = levels.indexOf(levels.get(end - 1));
      List<ComponentId> level =
          shape.components().subList(begin, end).stream().map(ComponentStats::id).toList();
      if (level.size() >= inputsPerMerge()
          && level.stream().noneMatch(id -> shape.merging().contains(id))) {
        due.add(new MergeDecision.Merge(level.subList(0, inputsPerMerge())));
      }
      end = begin;
    }
    return due;
  }

  @Override
  default MergeDecision decide(IndexShape shape) {
    List<MergeDecision.Merge> due = due(shape);
    return due.isEmpty() ? new MergeDecision.Wait() : due.get(0);
  }

  /** Twice what is expected over all levels together (section 5.1.1 of the paper). */
  @Override
  default int componentLimit(IndexShape shape) {
    return 2 * componentsPerLevel() * expectedLevels(shape);
  }
}
