package dev.varve.scheduler.policy;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The size-tiered policy of BigTable and HBase (On Performance Stability in LSM-based Storage
 * Systems, section 5.3). It looks at the newest components up to the first that is being merged,
 * from the oldest of them on, and merges the first sequence of at least {@code min} components
 * whose oldest has at most {@code ratio} times the bytes of all younger ones in it. A sequence is
 * as long as it can be up to {@code max}.
 *
 * <p>The paper's text asks the younger ones to be "T times larger" than the oldest, which is the
 * other way round. Then two equal components never merge, with min = max = 2 nothing ever does, and
 * writers wait at their limit for ever. What HBase does, and what Figure 18 of the paper shows, is
 * the rule above.
 *
 * <p>With min = max every merge has the fewest inputs: the mode to measure a sustainable rate with,
 * because otherwise a load that is too high makes for longer, cheaper merges, and hides that it is
 * too high. Immutable.
 *
 * @param ratio above 0; larger merges more unequal components, for dearer writes and cheaper reads
 * @param minComponents fewest inputs of a merge, at least 2
 * @param maxComponents most inputs of a merge
 * @param maxMergeBytes most bytes of input of a merge; when present, this bounds the space that a
 *     merge takes meanwhile, and components come to stay that no neighbour fits to
 */
public record SizeTieredPolicy(
    double ratio, int minComponents, int maxComponents, OptionalLong maxMergeBytes)
    implements MergePolicy {
  /** The limit that the paper sets for its experiments, with merges of 2 to 10 components. */
  private static final int COMPONENT_LIMIT = 50;

  /** Reports all problems at once. */
  public SizeTieredPolicy {
    List<String> problems = new ArrayList<>();
    if (!(ratio > 0 && ratio < 1e9)) {
      problems.add("ratio " + ratio + " is not above 0 and below 1e9");
    }
    if (minComponents < 2) {
      problems.add("minComponents " + minComponents + " is below 2");
    }
    if (maxComponents < minComponents) {
      problems.add("maxComponents " + maxComponents + " is below minComponents " + minComponents);
    }
    if (ratio * (maxComponents - 1) < 1) {
      problems.add(
          "ratio " + ratio + " never merges equal components, " + maxComponents + " at a time");
    }
    if (maxMergeBytes.isPresent() && maxMergeBytes.getAsLong() < 1) {
      problems.add("maxMergeBytes " + maxMergeBytes.getAsLong() + " is below 1");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException("size-tiered policy: " + String.join("; ", problems));
    }
  }

  /** Merges of any size. */
  public SizeTieredPolicy(double ratio, int minComponents, int maxComponents) {
    this(ratio, minComponents, maxComponents, OptionalLong.empty());
  }

  /** The same with merges of the fewest inputs only, to measure a rate that can be sustained. */
  public SizeTieredPolicy withFewestInputs() {
    return new SizeTieredPolicy(ratio, minComponents, minComponents, maxMergeBytes);
  }

  @Override
  public MergeDecision decide(IndexShape shape) {
    List<ComponentStats> components = shape.components();
    int begin = components.size();
    while (begin > 0 && !shape.merging().contains(components.get(begin - 1).id())) {
      begin--;
    }
    for (int oldest = begin; oldest + minComponents <= components.size(); oldest++) {
      List<ComponentStats> sequence = sequence(components.subList(oldest, components.size()));
      double younger = sequence.stream().skip(1).mapToDouble(ComponentStats::bytes).sum();
      if (sequence.size() >= minComponents && sequence.get(0).bytes() <= ratio * younger) {
        List<ComponentId> ids = sequence.stream().map(ComponentStats::id).toList();
        return new MergeDecision.Merge(ids);
      }
    }
    return new MergeDecision.Wait();
  }

  /** As much from the start as one merge takes. */
  private List<ComponentStats> sequence(List<ComponentStats> components) {
    int length = 0;
    long left = maxMergeBytes.orElse(Long.MAX_VALUE);
    while (length < Math.min(maxComponents, components.size())
        && components.get(length).bytes() <= left) {
      left -= components.get(length).bytes();
      length++;
    }
    return components.subList(0, length);
  }

  @Override
  public int componentLimit(IndexShape shape) {
    return Math.max(COMPONENT_LIMIT, (int) Math.min(UNLIMITED, 2L * minComponents));
  }

  /** Those for which a merge has room; the others stay, so nobody should wait for them. */
  @Override
  public int limitedComponents(IndexShape shape) {
    long most = maxMergeBytes.orElse(Long.MAX_VALUE) / minComponents;
    return (int) shape.components().stream().filter(component -> component.bytes() <= most).count();
  }

  @Override
  public String describe() {
    String parameters = ratio + ", " + minComponents + ", " + maxComponents;
    return maxMergeBytes.isPresent()
        ? "size-bounded(" + parameters + ", " + maxMergeBytes.getAsLong() + ")"
        : "size-tiered(" + parameters + ")";
  }
}
