package dev.varve.hyracks.feed;

import java.util.List;

/**
 * What a feed has done to one partition; only what is acknowledged counts.
 *
 * @param partition number in the cluster; below zero, what a source of the feed has met: see {@link
 *     #ofSource}
 * @param stored records that are durable
 * @param refused records that were left out
 * @param highestKey highest whole-number primary key that is durable, {@link
 *     PartitionCounters#NO_KEY} when there is none
 * @param refusals what was left out, by reason
 * @param overflow what came while there was no room for it
 */
public record PartitionProgress(
    int partition,
    long stored,
    long refused,
    long highestKey,
    List<RefusalReport> refusals,
    Overflow overflow) {
  /** Copies the list. */
  public PartitionProgress {
    refusals = List.copyOf(refusals);
  }

  /** Of a partition, which meets no overflow. */
  public PartitionProgress(
      int partition, long stored, long refused, long highestKey, List<RefusalReport> refusals) {
    this(partition, stored, refused, highestKey, refusals, Overflow.NONE);
  }

  /** The number under which a source of a feed counts, beside the partitions. */
  public static int ofSource(int source) {
    return -1 - source;
  }

  /** Whether this is what a source has met. */
  public boolean isOfSource() {
    return partition < 0;
  }
}
