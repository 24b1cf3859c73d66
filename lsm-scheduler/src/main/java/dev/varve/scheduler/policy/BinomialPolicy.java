package dev.varve.scheduler.policy;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import java.util.List;

/**
 * Keeps at most k components, and merges as little as that allows when all flushes are alike:
 * Bigtable merge compaction after C. Mathieu, C. Staelin, N. Young, A. Yousefi (arXiv 1407.3008),
 * which later versions of AsterixDB have under the name of the constant policy.
 *
 * <p>After a flush either nothing merges, or it and all components from some position on do; the
 * position is a function of k and of the number of flushes so far, which the components' ids tell.
 * With c components open and d rewritings of each entry to go, C(d + c, d) flushes can be taken in:
 * first C(d + c - 1, c) with one rewriting less to go, then the rest with one component less. Since
 * the number of flushes is not known beforehand, rounds of growing d follow each other, and each
 * begins with a merge of everything. Immutable.
 *
 * @param components the k above, from 1 to 1,000; more of them make writes cheaper and reads dearer
 */
public record BinomialPolicy(int components) implements MergePolicy {
  private static final int LARGEST = 1000;

  /** Checks the parameter. */
  public BinomialPolicy {
    if (components < 1 || components > LARGEST) {
      throw new IllegalArgumentException(
          "binomial(" + components + "): not between 1 and " + LARGEST + " components");
    }
  }

  @Override
  public MergeDecision decide(IndexShape shape) {
    List<ComponentStats> all = shape.components();
    if (!shape.merging().isEmpty() || all.size() < 2) {
      return new MergeDecision.Wait();
    }
    int position = position(all.get(all.size() - 1).id().last());
    if (position >= all.size() - 1) {
      return new MergeDecision.Wait();
    }
    List<ComponentId> inputs =
        all.subList(position, all.size()).stream().map(ComponentStats::id).toList();
    return new MergeDecision.Merge(inputs);
  }

  /** Where the component that holds the last of so many flushes should be, 0 for the oldest. */
  private int position(long flushes) {
    if (components == 1) {
      return 0;
    }
    long left = flushes - 1;
    int depth = 0;
    long round = 1;
    while (left >= round) {
      left -= round;
      depth++;
      int open = Math.min(depth, components) - 1;
      round = choose(depth + open, open);
    }
    int open = Math.min(depth, components) - 1;
    int position = 0;
    while (left > 0) {
      assert depth >= 0 && open >= 0 : flushes;
      long here = choose(depth + open - 1, open);
      if (left < here) {
        depth--;
      } else {
        left -= here;
        open--;
        position++;
      }
    }
    return position;
  }

  /** Binomial coefficient; what a long cannot hold is more than there will ever be flushes. */
  private static long choose(int of, int take) {
    int smaller = Math.min(take, of - take);
    double result = 1;
    long exact = 1;
    for (int i = 1; i <= smaller; i++) {
      result = result * (of - smaller + i) / i;
      if (result > 1e15) {
        return Long.MAX_VALUE;
      }
      exact = exact * (of - smaller + i) / i;
    }
    return exact;
  }

  @Override
  public int componentLimit(IndexShape shape) {
    return 2 * components;
  }

  @Override
  public String describe() {
    return "binomial(" + components + ")";
  }
}
