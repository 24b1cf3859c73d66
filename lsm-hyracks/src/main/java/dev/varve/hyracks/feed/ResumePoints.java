package dev.varve.hyracks.feed;

import java.io.Serializable;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many records of each input of a feed need not be read again: for each partition they are
 * durable, or refused for good. Immutable.
 *
 * @param records by name of the input, as {@link RecordStream#input} has it
 */
public record ResumePoints(TreeMap<String, Long> records) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** From the beginning of everything. */
  public static final ResumePoints NONE = new ResumePoints(new TreeMap<>());

  /** Copies the map. */
  public ResumePoints {
    records = new TreeMap<>(records);
  }

  /**
   * What all partitions have passed.
   *
   * @param positions what is known of each partition; one of which nothing is known has passed
   *     nothing
   * @param partitions how many there are
   */
  public static ResumePoints of(Collection<FeedPosition> positions, int partitions) {
    assert positions.stream().allMatch(each -> each.partition() < partitions) : positions;
    TreeMap<String, Long> least = new TreeMap<>();
    Map<String, Integer> seen = new TreeMap<>();
    for (FeedPosition position : positions) {
      least.merge(position.input(), position.records(), Math::min);
      seen.merge(position.input(), 1, Integer::sum);
    }
    least.keySet().removeIf(input -> seen.getOrDefault(input, 0) < partitions);
    return new ResumePoints(least);
  }

  /** How many records of an input are passed over. */
  public long of(String input) {
    return records.getOrDefault(input, 0L);
  }
}
