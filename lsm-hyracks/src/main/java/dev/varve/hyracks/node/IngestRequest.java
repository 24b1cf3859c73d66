package dev.varve.hyracks.node;

import dev.varve.hyracks.feed.FeedName;
import dev.varve.hyracks.feed.OnFull;
import dev.varve.hyracks.feed.RecordSource;
import dev.varve.hyracks.operator.WriteMode;
import org.jspecify.annotations.Nullable;

/**
 * The work of a feed.
 *
 * @param dataset the dataset, which exists
 * @param source where the records come from
 * @param mode what is done with each
 * @param feeds how many partitions the source is read in at a time
 * @param name what the feed's positions are kept under: called again, it goes on where it was; null
 *     when they are not kept
 * @param retryNanos for how long a named feed tries to go on by itself when a node or the
 *     controller has died, from the last time that it came further
 * @param onFull what it does when its source gives more than is taken
 */
public record IngestRequest(
    String dataset,
    RecordSource source,
    WriteMode mode,
    int feeds,
    @Nullable FeedName name,
    long retryNanos,
    OnFull onFull) {
  /** Checks the number of feeds, and that what has a name can be gone on with. */
  public IngestRequest {
    if (feeds < 1 || feeds > 64) {
      throw new IllegalArgumentException("feeds " + feeds + " is not between 1 and 64");
    }
    if (name != null && mode == WriteMode.LOAD) {
      throw new IllegalArgumentException("a load is done as a whole, and so has no feed's name");
    }
  }

  /** A feed whose positions are not kept. */
  public IngestRequest(String dataset, RecordSource source, WriteMode mode, int feeds) {
    this(dataset, source, mode, feeds, null, 0, OnFull.THROTTLE);
  }

  /** The same as a feed with a name. */
  public IngestRequest named(String feed, long newRetryNanos) {
    return new IngestRequest(
        dataset, source, mode, feeds, new FeedName(dataset, feed), newRetryNanos, onFull);
  }

  /** The same, which does something else when its source gives more than is taken. */
  public IngestRequest whenFull(OnFull newOnFull) {
    return new IngestRequest(dataset, source, mode, feeds, name, retryNanos, newOnFull);
  }
}
