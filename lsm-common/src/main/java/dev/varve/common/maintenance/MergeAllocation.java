package dev.varve.common.maintenance;

import java.util.List;

/**
 * How the bandwidth for merges is shared out now. Each merge that is named may write its part of
 * the sum of all weights; who isn't named waits or pauses. A merge that cannot use its part leaves
 * it to the others.
 *
 * @param shares each merge at most once
 */
public record MergeAllocation(List<Share> shares) {
  /** Copies the list. */
  public MergeAllocation {
    shares = List.copyOf(shares);
  }

  /**
   * A merge's part.
   *
   * @param number which merge
   * @param weight its part of the bandwidth, in relation to the weights of the others; at least 1
   */
  public record Share(long number, int weight) {
    /** Checks the weight. */
    public Share {
      if (weight < 1) {
        throw new IllegalArgumentException("merge " + number + " with weight " + weight);
      }
    }
  }

  /** The same part for each of these merges. */
  public static MergeAllocation equal(List<MergeProgress> merges) {
    return new MergeAllocation(merges.stream().map(merge -> new Share(merge.number(), 1)).toList());
  }

  /** The weights of all shares together. */
  public long totalWeight() {
    return shares.stream().mapToLong(Share::weight).sum();
  }
}
