package dev.varve.hyracks.feed;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The counters of all feeds that write on one node, where a watcher in the same process reads them
 * while the feeds run. What a feed did in the end is in its job's result; the board is for looking
 * on. Thread-safe.
 */
public final class FeedBoard {
  private final Map<Long, Map<Integer, PartitionCounters>> feeds = new ConcurrentHashMap<>();

  private final Map<FeedName, Map<Integer, FeedClaim>> claims = new ConcurrentHashMap<>();

  /** An empty board. */
  public FeedBoard() {}

  /** The counters of a feed on a partition, new at the first call. */
  public PartitionCounters counters(long feed, int partition) {
    return feeds
        .computeIfAbsent(feed, unused -> new ConcurrentHashMap<>())
        .computeIfAbsent(partition, unused -> new PartitionCounters());
  }

  /** Who may write a partition for a named feed. */
  public FeedClaim claim(FeedName feed, int partition) {
    return claims
        .computeIfAbsent(feed, unused -> new ConcurrentHashMap<>())
        .computeIfAbsent(partition, unused -> new FeedClaim());
  }

  /** What a feed has done here so far, by partition. */
  public List<PartitionProgress> progress(long feed) {
    return feeds.getOrDefault(feed, Map.of()).entrySet().stream()
        .map(entry -> entry.getValue().progress(entry.getKey()))
        .sorted(Comparator.comparingInt(PartitionProgress::partition))
        .toList();
  }

  /** The numbers of the feeds that run here, or have ended and are not forgotten. */
  public Set<Long> numbers() {
    return Set.copyOf(feeds.keySet());
  }

  /** Forgets a feed that has ended. */
  public void remove(long feed) {
    feeds.remove(feed);
  }
}
