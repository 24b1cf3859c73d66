package dev.varve.simulator;

import dev.varve.scheduler.policy.PartitionedLevelingPolicy;
import dev.varve.scheduler.tuner.MergeDebt;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Levels cut by key range as sums of bytes: keys are hit at random, so every component of a level
 * overlaps the same part of the next one. Merges are chosen as RocksDB chooses them: the level that
 * is fullest for its size first, level 0 never beside another merge of level 0 or of level 1, and
 * none of level 1 while level 0 waits. Confined to the simulation.
 */
final class FlowTree {
  private static final int LEVELS = 7;
  private static final int LEAST_FLUSHED = 4;
  private static final int SIZE_RATIO = 10;

  private final double keyBytes;
  private final Deque<Double> level0 = new ArrayDeque<>();
  private final double[] bytes = new double[LEVELS];
  private final double[] merging = new double[LEVELS];
  private boolean level0Merging;
  private int level1Merges;
  private PartitionedLevelingPolicy policy;

  FlowTree(double keyBytes, long componentBytes) {
    this.keyBytes = keyBytes;
    this.policy = policy(componentBytes);
  }

  /** An empty tree gets what has been loaded and merged into one level, the first that holds it. */
  void load(double loadedBytes) {
    int level = 1;
    double size = policy.sizes().levelBytes();
    while (size < loadedBytes && level < LEVELS - 1) {
      size *= SIZE_RATIO;
      level++;
    }
    bytes[level] = loadedBytes;
  }

  private static PartitionedLevelingPolicy policy(long componentBytes) {
    return new PartitionedLevelingPolicy(
        SIZE_RATIO,
        new PartitionedLevelingPolicy.Sizes(LEAST_FLUSHED * componentBytes, componentBytes),
        new PartitionedLevelingPolicy.Flushed(
            LEAST_FLUSHED, PartitionedLevelingPolicy.Taking.ALL, Integer.MAX_VALUE),
        PartitionedLevelingPolicy.Selection.ROUND_ROBIN,
        PartitionedLevelingPolicy.Concurrency.MANY);
  }

  /** Components and levels have another size from now on. */
  void resize(long componentBytes) {
    if (policy.sizes().componentBytes() != componentBytes) {
      policy = policy(componentBytes);
    }
  }

  int level0Components() {
    return level0.size();
  }

  boolean level0Merging() {
    return level0Merging;
  }

  /** How many components a search meets. */
  int size() {
    int size = level0.size();
    for (int level = 1; level < LEVELS; level++) {
      size += bytes[level] > 0 ? 1 : 0;
    }
    return size;
  }

  double bytes() {
    double sum = 0;
    for (double level : bytes) {
      sum += level;
    }
    return sum;
  }

  List<Long> levelBytes() {
    List<Long> levels = new ArrayList<>();
    for (double level : bytes) {
      levels.add(Math.round(level));
    }
    return levels;
  }

  /** What would be left if all were merged into one. */
  double liveBytes() {
    double missing = 1;
    for (double level : bytes) {
      missing *= 1 - Math.min(1, level / keyBytes);
    }
    return keyBytes * (1 - missing);
  }

  long pendingBytes() {
    return MergeDebt.pendingBytes(policy, level0.size(), levelBytes());
  }

  /** What two sets of random keys are together, in a part of the key space. */
  private double merged(double one, double other, double part) {
    return one + other - one * other / (keyBytes * part);
  }

  /** Whether level 0 is due and nothing is in its way but threads. */
  boolean level0MayMerge() {
    return level0Due() && level1Merges == 0 && merging[1] == 0;
  }

  private boolean level0Due() {
    return !level0Merging && score(0) >= 1;
  }

  /** Begins the merge that is most due, if one is. */
  Optional<FlowJob> beginMerge(double now) {
    boolean level0Due = level0Due();
    int best = -1;
    double bestScore = 1;
    for (int level = 0; level < LEVELS - 1; level++) {
      double score = level == 0 && !level0Due ? 0 : score(level);
      boolean may =
          switch (level) {
            case 0 -> level0MayMerge();
            case 1 -> (!level0Due || score(1) > score(0)) && !level0Merging && overlapFree(1);
            default -> overlapFree(level);
          };
      if (may && score >= bestScore) {
        best = level;
        bestScore = score;
      }
    }
    if (best < 0) {
      return Optional.empty();
    }
    return Optional.of(best == 0 ? beginLevel0(now) : beginDeeper(best, now));
  }

  /** Whether the part of the next level that a component overlaps is not being merged. */
  private boolean overlapFree(int level) {
    double input = input(level);
    return input > 0
        && bytes[level + 1] - merging[level + 1] >= bytes[level + 1] * input / bytes[level] - 1;
  }

  private double input(int level) {
    return Math.min((double) policy.sizes().componentBytes(), bytes[level] - merging[level]);
  }

  private double score(int level) {
    double base = policy.sizes().levelBytes();
    return level == 0
        ? Math.max((double) level0.size() / LEAST_FLUSHED, bytes[0] / base)
        : (bytes[level] - merging[level]) / (base * Math.pow(SIZE_RATIO, level - 1));
  }

  private FlowJob beginLevel0(double now) {
    level0Merging = true;
    merging[0] = bytes[0];
    merging[1] = bytes[1];
    return FlowJob.levelZero(
        level0.size(), new FlowJob.Bytes(bytes[0], bytes[1], merged(bytes[0], bytes[1], 1)), now);
  }

  private FlowJob beginDeeper(int level, double now) {
    double upper = input(level);
    double part = upper / bytes[level];
    double lower = bytes[level + 1] * part;
    merging[level] += upper;
    merging[level + 1] += lower;
    level1Merges += level == 1 ? 1 : 0;
    return FlowJob.deeper(level, new FlowJob.Bytes(upper, lower, merged(upper, lower, part)), now);
  }

  /** A job has ended. */
  void end(FlowJob job) {
    if (job.kind() == FlowJob.Kind.FLUSH) {
      level0.addLast(job.bytes().output());
      bytes[0] += job.bytes().output();
      return;
    }
    int level = job.level();
    bytes[level] -= job.bytes().upper();
    merging[level] -= job.bytes().upper();
    bytes[level + 1] += job.bytes().output() - job.bytes().lower();
    merging[level + 1] -= job.bytes().lower();
    for (int i = 0; i < job.level0Components(); i++) {
      level0.removeFirst();
    }
    level0Merging &= job.kind() != FlowJob.Kind.LEVEL_ZERO;
    level1Merges -= level == 1 ? 1 : 0;
    settle(level);
    settle(level + 1);
  }

  /** Rests of subtractions are nothing. */
  private void settle(int level) {
    bytes[level] = bytes[level] < 1 ? 0 : bytes[level];
    merging[level] = merging[level] < 1 ? 0 : merging[level];
  }
}
