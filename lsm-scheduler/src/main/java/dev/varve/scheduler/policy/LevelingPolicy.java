package dev.varve.scheduler.policy;

import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/**
 * Leveling with full merges (On Performance Stability in LSM-based Storage Systems, section 2.1): a
 * level holds one component. What comes from the level before is merged into it, again and again,
 * until it is full; then it goes to the next level as a whole. So a merge always has two inputs.
 *
 * <p>A component is at the first level where it is not full, the largest one at the last level L. A
 * level is full when what comes next would not fit: half of that below its capacity, because
 * components are not exactly as large as they should be. With fixed levels the capacity of level i
 * is M·T^i. With dynamic ones (section 5.2.3, after Dong et al., CIDR 2017) it is D/T^(L-i), where
 * D is the largest component: the last level is always nearly full, at most a part of 1/(T-1) of
 * the data is elsewhere, and only the step from a flush to level 1 is smaller than T. When D
 * reaches M·T^L a level is added; level 1 is then as small as a flush, and fills with one, so
 * nothing jumps. Immutable.
 *
 * @param sizeRatio the T of the paper, from 2 to 100; larger makes reads cheaper and writes dearer
 * @param flushBytes the M of the paper, at least 1; judged by the components when absent
 * @param levelSizes whether levels follow the size of the data
 */
public record LevelingPolicy(int sizeRatio, OptionalLong flushBytes, LevelSizes levelSizes)
    implements LeveledPolicy {
  /** How the capacities of levels are found. */
  public enum LevelSizes {
    /** From the largest component down, so that the last level is nearly full. */
    DYNAMIC,
    /** From the size of a flush up. */
    FIXED
  }

  /** Checks the parameters. */
  public LevelingPolicy {
    TieringPolicy.checkSizeRatio("leveling", sizeRatio);
    FlushSize.check("leveling", flushBytes);
  }

  /** Dynamic levels, with the size of flushes judged by the components. */
  public LevelingPolicy(int sizeRatio) {
    this(sizeRatio, OptionalLong.empty(), LevelSizes.DYNAMIC);
  }

  @Override
  public List<Integer> levels(IndexShape shape) {
    double[] full = fullFrom(shape);
    List<Integer> levels = new ArrayList<>();
    int level = 1;
    for (int i = shape.components().size() - 1; i >= 0; i--) {
      long bytes = shape.components().get(i).bytes();
      while (level <= full.length && bytes >= full[level - 1]) {
        level++;
      }
      levels.add(level);
    }
    Collections.reverse(levels);
    return levels;
  }

  @Override
  public int expectedLevels(IndexShape shape) {
    return fullFrom(shape).length + 1;
  }

  /** From which size on a component is full, for each level but the last. */
  private double[] fullFrom(IndexShape shape) {
    double flush = flushBytes(shape);
    double data = shape.components().stream().mapToLong(ComponentStats::bytes).max().orElse(0);
    int last = 1;
    double capacity = flush * sizeRatio;
    while (exceeds(data, capacity)) {
      last++;
      capacity *= sizeRatio;
    }
    double[] full = new double[last - 1];
    double arriving = flush;
    for (int level = 1; level < last; level++) {
      capacity =
          switch (levelSizes) {
            case DYNAMIC -> data / Math.pow(sizeRatio, last - level);
            case FIXED -> arriving * sizeRatio;
          };
      full[level - 1] = capacity - arriving / 2;
      arriving = capacity;
    }
    return full;
  }

  /** Whether the data is too much for a last level of this capacity by the size of a flush. */
  private boolean exceeds(double data, double capacity) {
    return switch (levelSizes) {
      case DYNAMIC -> data > capacity;
      case FIXED -> data >= capacity - capacity / sizeRatio / 2;
    };
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
  public String describe() {
    String sizes = levelSizes == LevelSizes.FIXED ? ", fixed" : "";
    return "leveling(" + sizeRatio + FlushSize.describe(flushBytes) + sizes + ")";
  }
}
