package dev.varve.scheduler.policy;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The prefix policy of Storage Management in AsterixDB, section 5.2: it merges the smallest
 * sequence of components, from oldest to newest, "such that the sequence does not contain a single
 * component that exceeds some threshold size M and that either the sum of the components' sizes
 * exceeds M or the number of components in the sequence exceeds another threshold C".
 *
 * <p>A component above M is left alone for good, and only adjacent components can merge, so the
 * components at or below M form runs between those above. A sequence starts at the oldest component
 * of a run and is as short as either threshold allows; the oldest run that holds one wins. While a
 * merge of the index waits or runs nothing more is started, because its result is the head of the
 * next sequence.
 *
 * <p>With a ratio guard r (off in the paper, 1.2 in later versions of AsterixDB) the number of
 * components alone does not make a large old component be rewritten for a few small ones: a
 * sequence that is merged for its number may start only at a component of at most r times the bytes
 * of all newer ones in it. Immutable.
 *
 * @param maxComponentBytes the M of the paper; raising it makes for fewer, larger components: reads
 *     get cheaper, writes and the largest merge dearer
 * @param maxComponents the C of the paper, at least 1; raising it makes merges rarer and reads
 *     dearer
 * @param ratioGuard the r above, positive; absent for the paper's policy
 */
public record PrefixPolicy(long maxComponentBytes, int maxComponents, Optional<Double> ratioGuard)
    implements MergePolicy {
  /** Reports all problems at once. */
  public PrefixPolicy {
    List<String> problems = new ArrayList<>();
    if (maxComponentBytes < 1) {
      problems.add("maxComponentBytes " + maxComponentBytes + " is below 1");
    }
    if (maxComponents < 1) {
      problems.add("maxComponents " + maxComponents + " is below 1");
    }
    if (ratioGuard.isPresent() && !(ratioGuard.get() > 0 && ratioGuard.get() < 1e9)) {
      problems.add("ratioGuard " + ratioGuard.get() + " is not above 0 and below 1e9");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException("prefix policy: " + String.join("; ", problems));
    }
  }

  /** The policy as in the paper, without a ratio guard. */
  public PrefixPolicy(long maxComponentBytes, int maxComponents) {
    this(maxComponentBytes, maxComponents, Optional.empty());
  }

  @Override
  public MergeDecision decide(IndexShape shape) {
    if (!shape.merging().isEmpty()) {
      return new MergeDecision.Wait();
    }
    List<ComponentStats> components = shape.components();
    int runStart = 0;
    while (runStart < components.size()) {
      int runEnd = runStart;
      while (runEnd < components.size() && components.get(runEnd).bytes() <= maxComponentBytes) {
        runEnd++;
      }
      for (int start = runStart; start < runEnd; start++) {
        List<ComponentStats> run = components.subList(start, runEnd);
        int length = sequenceLength(run);
        if (length > 0) {
          return merge(run.subList(0, length));
        }
        if (ratioGuard.isEmpty()) {
          break; // without a guard a shorter run can't have what the whole one lacks
        }
      }
      runStart = runEnd + 1; // over the component above M that ended the run
    }
    return new MergeDecision.Wait();
  }

  /** How many components from the start of the run merge; 0 for none. */
  private int sequenceLength(List<ComponentStats> run) {
    long oldest = run.get(0).bytes();
    long sum = 0;
    int length = 0;
    for (ComponentStats component : run) {
      assert component.bytes() <= maxComponentBytes : component;
      length++;
      if (component.bytes() > maxComponentBytes - sum) { // the sum exceeds M, without overflow
        return length;
      }
      sum += component.bytes();
      if (length > maxComponents && guardAllows(oldest, sum - oldest)) {
        return length;
      }
    }
    return 0;
  }

  private boolean guardAllows(long oldestBytes, long newerBytes) {
    return ratioGuard.isEmpty() || oldestBytes <= ratioGuard.get() * newerBytes;
  }

  private static MergeDecision merge(List<ComponentStats> inputs) {
    List<ComponentId> ids = inputs.stream().map(ComponentStats::id).toList();
    return new MergeDecision.Merge(ids);
  }

  /**
   * Twice the number of components at which a merge is due; with a guard that for each level of
   * merged components between a flush and M, since flushes go on while the largest of them is made:
   * 2 · T · L as for tiering, with T = C + 1.
   */
  @Override
  public int componentLimit(IndexShape shape) {
    long dueAt = maxComponents + 1L;
    long levels = 1;
    if (ratioGuard.isPresent()) {
      double merged = (double) FlushSize.of(OptionalLong.empty(), shape) * dueAt;
      while (merged < maxComponentBytes) {
        merged *= dueAt;
        levels++;
      }
    }
    return (int) Math.min(Integer.MAX_VALUE, 2 * dueAt * levels);
  }

  /** Components above M are never merged, so waiting for their number to fall would be for ever. */
  @Override
  public int limitedComponents(IndexShape shape) {
    return (int)
        shape.components().stream()
            .filter(component -> component.bytes() <= maxComponentBytes)
            .count();
  }

  @Override
  public String describe() {
    String guard = ratioGuard.map(ratio -> ", " + ratio).orElse("");
    return "prefix(" + maxComponentBytes + ", " + maxComponents + guard + ")";
  }
}
