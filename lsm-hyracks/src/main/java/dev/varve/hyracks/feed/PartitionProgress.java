package dev.varve.hyracks.feed;

import java.util.List;

/**
 * What a feed has done to one partition; only what is acknowledged counts.
 *
 * @param partition number in the cluster
 * @param stored records that are durable
 * @param refused records that were left out
 * @param highestKey highest whole-number primary key that is durable, {@link
 *     PartitionCounters#NO_KEY} when there is none
 * @param refusals what was left out, by reason
 */
public record PartitionProgress(
    int partition, long stored, long refused, long highestKey, List<RefusalReport> refusals) {
  /** Copies the list. */
  public PartitionProgress {
    refusals = List.copyOf(refusals);
  }
}
