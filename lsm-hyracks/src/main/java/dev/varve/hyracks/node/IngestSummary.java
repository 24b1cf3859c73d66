package dev.varve.hyracks.node;

import dev.varve.hyracks.feed.FeedPosition;
import dev.varve.hyracks.feed.Overflow;
import dev.varve.hyracks.feed.PartitionProgress;
import dev.varve.hyracks.feed.RefusalReason;
import dev.varve.hyracks.feed.RefusalReport;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a feed has done, so far or in the end, by partition. Every record that was read from the
 * source is either stored or refused once the feed has ended.
 *
 * @param partitions the partitions, by number; one is missing until it has had a record; of a named
 *     feed one may be there several times, for its inputs
 * @param positions how far a named feed has come, in this run and earlier ones; none for others
 */
public record IngestSummary(List<PartitionProgress> partitions, List<FeedPosition> positions) {
  /** Copies the lists. */
  public IngestSummary {
    partitions = List.copyOf(partitions);
    positions = List.copyOf(positions);
  }

  /** Of a feed without a name. */
  public IngestSummary(List<PartitionProgress> partitions) {
    this(partitions, List.of());
  }

  /**
   * What a named feed has done since an earlier moment, by input and partition.
   *
   * @param before its positions then
   * @param now its positions
   * @param live what its run counts, for what was said of refused records
   */
  static IngestSummary between(
      List<FeedPosition> before, List<FeedPosition> now, List<PartitionProgress> live) {
    Map<String, FeedPosition> earlier = new HashMap<>();
    before.forEach(position -> earlier.put(position.partition() + position.input(), position));
    List<PartitionProgress> parts = new ArrayList<>();
    for (FeedPosition position : now) {
      parts.add(position.since(earlier.get(position.partition() + position.input())));
    }
    for (PartitionProgress partition : live) {
      if (partition.isOfSource()) {
        parts.add(partition);
        continue;
      }
      List<RefusalReport> said =
          partition.refusals().stream()
              .map(report -> new RefusalReport(report.reason(), 0, report.samples()))
              .toList();
      parts.add(new PartitionProgress(partition.partition(), 0, 0, partition.highestKey(), said));
    }
    return new IngestSummary(parts, now);
  }

  /** Records that are durable. */
  public long stored() {
    return partitions.stream().mapToLong(PartitionProgress::stored).sum();
  }

  /** Records that were left out. */
  public long refused() {
    return partitions.stream().mapToLong(PartitionProgress::refused).sum();
  }

  /** What came while there was no room for it. */
  public Overflow overflow() {
    return partitions.stream()
        .map(PartitionProgress::overflow)
        .reduce(Overflow.NONE, Overflow::plus);
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
