package dev.varve.hyracks.node;

import dev.varve.hyracks.feed.PartitionProgress;
import dev.varve.hyracks.feed.RefusalReason;
import dev.varve.hyracks.feed.RefusalReport;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a feed has done, so far or in the end, by partition. Every record that was read from the
 * source is either stored or refused once the feed has ended.
 *
 * @param partitions the partitions, by number; one is missing until it has had a record
 */
public record IngestSummary(List<PartitionProgress> partitions) {
  /** Copies the list. */
  public IngestSummary {
    partitions = List.copyOf(partitions);
  }

  /** Records that are durable. */
  public long stored() {
    return partitions.stream().mapToLong(PartitionProgress::stored).sum();
  }

  /** Records that were left out. */
  public long refused() {
    return partitions.stream().mapToLong(PartitionProgress::refused).sum();
  }

  /** What was left out, by reason; exact counts, some samples of each partition. */
  public List<RefusalReport> refusals() {
    Map<RefusalReason, RefusalReport> all = new EnumMap<>(RefusalReason.class);
    for (PartitionProgress partition : partitions) {
      for (RefusalReport refusal : partition.refusals()) {
        all.merge(refusal.reason(), refusal, IngestSummary::together);
      }
    }
    return List.copyOf(all.values());
  }

  private static RefusalReport together(RefusalReport one, RefusalReport other) {
    List<String> samples = new ArrayList<>(one.samples());
    samples.addAll(other.samples());
    return new RefusalReport(one.reason(), one.count() + other.count(), samples);
  }
}
