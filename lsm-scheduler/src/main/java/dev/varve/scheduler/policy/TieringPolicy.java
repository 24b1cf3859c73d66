package dev.varve.scheduler.policy;

import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/**
 * Tiering with full merges (On Performance Stability in LSM-based Storage Systems, section 2.1): a
 * level holds up to T components of about the same size, and T of them make one of the next level.
 *
 * <p>A level begins at its newest component and takes in the older ones next to it that are at most
 * √T times as large; what is smaller than a flush counts as a flush. So levels follow the sizes
 * that there really are: components that shrank because keys were replaced, and those loaded in
 * bulk, are where they belong. Sizes grow by more than √T from level to level, hence there are at
 * most twice as many levels as expected, and whenever there are 2·T·L components one of them has T.
 * Immutable.
 *
 * @param sizeRatio the T of the paper, from 2 to 100; larger makes writes cheaper, and reads and
 *     space dearer
 * @param flushBytes the M of the paper, at least 1; judged by the components when absent
 */
public record TieringPolicy(int sizeRatio, OptionalLong flushBytes) implements LeveledPolicy {
  /** Checks the parameters. */
  public TieringPolicy {
    checkSizeRatio("tiering", sizeRatio);
    FlushSize.check("tiering", flushBytes);
  }

  /** Judges the size of flushes by the components. */
  public TieringPolicy(int sizeRatio) {
    this(sizeRatio, OptionalLong.empty());
  }

  static void checkSizeRatio(String policy, int sizeRatio) {
    if (sizeRatio < 2 || sizeRatio > 100) {
      throw new IllegalArgumentException(
          policy + ": size ratio " + sizeRatio + " is not between 2 and 100");
    }
  }

  @Override
  public List<Integer> levels(IndexShape shape) {
    long flush = flushBytes(shape);
    List<ComponentStats> components = shape.components();
    List<Integer> levels = new ArrayList<>();
    int level = 0;
    double largest = -1;
    for (int i = components.size() - 1; i >= 0; i--) {
      long bytes = Math.max(flush, components.get(i).bytes());
      if (bytes > largest) {
        level++;
        largest = bytes * Math.sqrt(sizeRatio);
      }
      levels.add(level);
    }
    Collections.reverse(levels);
    return levels;
  }

  /** 1 for a flush, one more for each power of T in between. */
  @Override
  public int expectedLevels(IndexShape shape) {
    long largest = shape.components().stream().mapToLong(ComponentStats::bytes).max().orElse(0);
    int levels = 1;
    double bytes = flushBytes(shape) * Math.sqrt(sizeRatio);
    while (largest > bytes) {
      levels++;
      bytes *= sizeRatio;
    }
    return levels;
  }

  @Override
  public long flushBytes(IndexShape shape) {
    return FlushSize.of(flushBytes, shape);
  }

  @Override
  public int componentsPerLevel() {
    return sizeRatio;
  }

  @Override
  public int inputsPerMerge() {
    return sizeRatio;
  }

  @Override
  public String describe() {
    return "tiering(" + sizeRatio + FlushSize.describe(flushBytes) + ")";
  }
}
