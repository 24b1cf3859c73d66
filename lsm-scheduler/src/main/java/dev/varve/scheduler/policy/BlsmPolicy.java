package dev.varve.scheduler.policy;

import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/**
 * The merges of bLSM (On Performance Stability in LSM-based Storage Systems, sections 2.3 and 4.2):
 * leveling with two levels, of which the second takes everything. Flushes are merged into the first
 * level; when it is full it goes to the second one as C1', is merged with C2, and the next flush
 * begins a new C1. At most two components are at a level, and a full C1 waits while C1' and C2
 * merge. The gears that keep these merges in step are the scheduler {@code gear}. Immutable.
 *
 * @param sizeRatio how many flushes fill the first level, from 2 to 1,000; best is the root of how
 *     many flushes the data makes
 * @param flushBytes size of a flush, at least 1; judged by the components when absent
 */
public record BlsmPolicy(int sizeRatio, OptionalLong flushBytes) implements LeveledPolicy {
  /** Checks the parameters. */
  public BlsmPolicy {
    if (sizeRatio < 2 || sizeRatio > 1000) {
      throw new IllegalArgumentException(
          "blsm: size ratio " + sizeRatio + " is not between 2 and 1000");
    }
    FlushSize.check("blsm", flushBytes);
  }

  /** Judges the size of flushes by the components. */
  public BlsmPolicy(int sizeRatio) {
    this(sizeRatio, OptionalLong.empty());
  }

  @Override
  public List<Integer> levels(IndexShape shape) {
    double full = flushBytes(shape) * (sizeRatio - 0.5);
    List<Integer> levels = new ArrayList<>();
    int level = 1;
    List<ComponentStats> components = shape.components();
    for (int i = components.size() - 1; i >= 0; i--) {
      if (components.get(i).bytes() >= full) {
        level = 2;
      }
      levels.add(level);
    }
    Collections.reverse(levels);
    return levels;
  }

  @Override
  public MergeDecision decide(IndexShape shape) {
    return LocalLimit.decide(this, shape);
  }

  @Override
  public int expectedLevels(IndexShape shape) {
    return 2;
  }

  @Override
  public long flushBytes(IndexShape shape) {
    return FlushSize.of(flushBytes, shape);
  }

  @Override
  public int componentsPerLevel() {
    return 1;
  }

  @Override
  public int inputsPerMerge() {
    return 2;
  }

  @Override
  public int componentLimit(IndexShape shape) {
    return LocalLimit.perLevel(this);
  }

  @Override
  public int limitedComponents(IndexShape shape) {
    return LocalLimit.beforeFlush(this, shape);
  }

  @Override
  public String describe() {
    return "blsm(" + sizeRatio + FlushSize.describe(flushBytes) + ")";
  }
}
