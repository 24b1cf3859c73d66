package dev.varve.hyracks.feed;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far a named feed has come with one input on one partition; durable with the records that it
 * speaks of. Immutable.
 *
 * @param input name of the input
 * @param partition number in the cluster
 * @param records of the first so many records of the input, those that belong to this partition are
 *     durable or refused
 * @param offset how many bytes of the input hold those records; {@link #NO_OFFSET} if nobody knows
 * @param stored how many of them are durable
 * @param refused how many were refused, by reason
 */
public record FeedPosition(
    String input,
    int partition,
    long records,
    long offset,
    long stored,
    Map<RefusalReason, Long> refused) {
  /** In the place of an offset that nobody knows. */
  public static final long NO_OFFSET = -1;

  /** Copies the map. */
  public FeedPosition {
    Map<RefusalReason, Long> copy = new EnumMap<>(RefusalReason.class);
    copy.putAll(refused);
    refused = copy;
  }

  /** All that was refused. */
  public long refusals() {
    return refused.values().stream().mapToLong(Long::longValue).sum();
  }

  /** What was done here since an earlier position; since the beginning where that is null. */
  public PartitionProgress since(@Nullable FeedPosition earlier) {
    List<RefusalReport> reports = new ArrayList<>();
    refused.forEach(
        (reason, count) -> {
          long before = earlier == null ? 0 : earlier.refused.getOrDefault(reason, 0L);
          if (count > before) {
            reports.add(new RefusalReport(reason, count - before, List.of()));
          }
        });
    return new PartitionProgress(
        partition,
        earlier == null ? stored : stored - earlier.stored,
        reports.stream().mapToLong(RefusalReport::count).sum(),
        PartitionCounters.NO_KEY,
        reports);
  }
}
