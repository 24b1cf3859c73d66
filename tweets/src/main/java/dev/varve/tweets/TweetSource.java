package dev.varve.tweets;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.hyracks.feed.RecordSource;
import dev.varve.hyracks.feed.RecordStream;
import dev.varve.hyracks.feed.ResumePoints;

/**
 * Generated tweets as a source of records: each feed partition takes every n-th id, in increasing
 * order. Immutable.
 *
 * @param seed what the tweets are a function of, with their ids
 * @param firstId id of the first tweet
 * @param tweets how many ids there are
 */
public record TweetSource(long seed, long firstId, long tweets) implements RecordSource {
  private static final long serialVersionUID = 1L;

  /** Checks that every id has a tweet. */
  public TweetSource {
    if (firstId < 0 || tweets < 0 || tweets > TweetGenerator.MAX_TWEETS - firstId) {
      throw new IllegalArgumentException(
          "tweets: "
              + tweets
              + " from id "
              + firstId
              + ", ids are 0 to "
              + (TweetGenerator.MAX_TWEETS - 1));
    }
  }

  @Override
  @MustBeClosed
  public RecordStream open(int partition, int partitions, ResumePoints resume) {
    String input =
        "tweets of seed %d from %d, %d of %d".formatted(seed, firstId, partition, partitions);
    return new TweetStream(this, input, resume.of(input), partition, partitions);
  }

  /** One share: the ids that are {@code partition} above the first one, modulo the partitions. */
  private static final class TweetStream implements RecordStream {
    private final TweetGenerator generator;
    private final long end;
    private final int step;
    private final String input;
    private long next;
    private long number;

    TweetStream(TweetSource source, String input, long passed, int partition, int partitions) {
      assert partition >= 0 && partition < partitions : partition + " of " + partitions;
      this.generator = new TweetGenerator(source.seed);
      this.end = source.firstId + source.tweets;
      this.step = partitions;
      this.input = input;
      this.number = passed;
      this.next = source.firstId + partition + passed * partitions;
    }

    @Override
    public boolean next(Slice record) {
      if (next >= end) {
        return false;
      }
      record.set(generator.bytes(), 0, generator.generate(next));
      next += step;
      number++;
      return true;
    }

    @Override
    public String input() {
      return input;
    }

    @Override
    public long number() {
      return number;
    }

    @Override
    public void close() {
      next = end;
    }
  }
}
