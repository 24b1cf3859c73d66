package dev.varve.hyracks.feed;

import java.io.Serializable;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * How much of each input of a feed need not be read again: for each partition its records are
 * durable, or refused for good. Immutable.
 *
 * @param points by name of the input, as {@link RecordStream#input} has it
 */
public record ResumePoints(TreeMap<String, Point> points) implements Serializable {
  private static final long serialVersionUID = 1L;

  /**
   * A place in an input.
   *
   * @param records how many records there are before
   * @param offset how many bytes of the input hold them; {@link FeedPosition#NO_OFFSET} if nobody
   *     knows
   */
  public record Point(long records, long offset) implements Serializable {
    private static final long serialVersionUID = 1L;

    private static final Point BEGINNING = new Point(0, FeedPosition.NO_OFFSET);

    private static Point earlier(Point one, Point other) {
      return one.records <= other.records ? one : other;
    }
  }

  /** From the beginning of everything. */
  public static final ResumePoints NONE = new ResumePoints(new TreeMap<>());

  /** Copies the map. */
  public ResumePoints {
    points = new TreeMap<>(points);
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
    TreeMap<String, Point> least = new TreeMap<>();
    Map<String, Integer> seen = new TreeMap<>();
    for (FeedPosition position : positions) {
      Point point = new Point(position.records(), position.offset());
      least.merge(position.input(), point, Point::earlier);
      seen.merge(position.input(), 1, Integer::sum);
    }
    least.keySet().removeIf(input -> seen.getOrDefault(input, 0) < partitions);
    return new ResumePoints(least);
  }

  /** How many records of an input are passed over. */
  public long of(String input) {
    return at(input).records;
  }

  /** Where an input is gone on with. */
  public Point at(String input) {
    return points.getOrDefault(input, Point.BEGINNING);
  }
}
