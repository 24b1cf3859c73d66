package dev.varve.cli.command;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.varve.report.Console;
import dev.varve.report.Figures;
import dev.varve.report.Table;
import dev.varve.tweets.TweetSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What an ingest did, in figures: printed as a table, or as JSON with these names.
 *
 * @param command {@code ingest}
 * @param setup what it was asked to do
 * @param feed what became of the tweets
 * @param cost what that took
 * @param storage what the engines wrote
 * @param recoverySeconds what opening the directory took, of all nodes together
 */
record IngestSummary(
    String command, Setup setup, Feed feed, Cost cost, Storage storage, double recoverySeconds) {
  /**
   * What it was asked to do.
   *
   * @param tweets seed, first id and number of the tweets
   * @param mode insert or upsert
   * @param durability what an acknowledged tweet survives; in words where the nodes ran already
   * @param shape of cluster and dataset
   */
  record Setup(TweetSource tweets, String mode, String durability, Shape shape) {}

  /**
   * Cluster and dataset.
   *
   * @param nodes nodes of the cluster
   * @param partitions partitions of the dataset on all nodes together
   * @param indexes its secondary indexes
   */
  record Shape(int nodes, int partitions, List<String> indexes) {}

  /**
   * What became of the tweets.
   *
   * @param acknowledged how many are in the dataset, durably
   * @param refused how many were not taken, by reason
   * @param signal exit code that a signal asked for which stopped the feed; 0 when none came
   */
  record Feed(long acknowledged, Map<String, Long> refused, int signal) {}

  /**
   * What that took, from the start of the feed to the last acknowledgement.
   *
   * @param seconds time on the clock
   * @param tweetsPerSecond acknowledged tweets in a second
   * @param cpuSeconds CPU time of the whole process; negative where it is unknown
   * @param cpuMicrosPerTweet the same for one acknowledged tweet
   * @param gcSeconds time in garbage collections
   * @param heapUsedBytes heap in use at the end
   * @param heapMaxBytes size that the heap may have
   * @param peakResidentBytes largest resident set of the process; -1 where it is unknown
   */
  record Cost(
      double seconds,
      double tweetsPerSecond,
      double cpuSeconds,
      double cpuMicrosPerTweet,
      double gcSeconds,
      long heapUsedBytes,
      long heapMaxBytes,
      long peakResidentBytes) {}

  /**
   * What the engines did, flushes and merges that went on during the feed included.
   *
   * @param written bytes
   * @param logForces how often a log was forced
   * @param flushes flushes that ended
   * @param merges merges that ended
   * @param components disk components at the end
   * @param stalls waits of writers, by cause
   */
  record Storage(
      Written written,
      long logForces,
      long flushes,
      long merges,
      long components,
      Map<String, Stall> stalls) {}

  /**
   * Bytes that were written.
   *
   * @param logBytes to the logs
   * @param flushedBytes by flushes
   * @param mergedBytes by merges
   */
  record Written(long logBytes, long flushedBytes, long mergedBytes) {
    /** All of them. */
    @JsonProperty
    long totalBytes() {
      return logBytes + flushedBytes + mergedBytes;
    }
  }

  /**
   * Waits of writers with one cause.
   *
   * @param count how many waits
   * @param seconds how long together
   * @param longestSeconds how long at most
   */
  record Stall(long count, double seconds, double longestSeconds) {
    Stall plus(Stall other) {
      return new Stall(
          count + other.count,
          seconds + other.seconds,
          Math.max(longestSeconds, other.longestSeconds));
    }
  }

  /** The exit code of the command. */
  @JsonIgnore
  int exitCode() {
    return feed.signal;
  }

  void print(Console console) {
    Shape shape = setup.shape;
    console.printLine(
        "%s %d nodes, %d partitions, indexes: %s; %s, %s"
            .formatted(
                feed.signal == 0 ? "Done." : "Stopped.",
                shape.nodes,
                shape.partitions,
                shape.indexes.isEmpty() ? "none" : String.join(", ", shape.indexes),
                setup.mode,
                setup.durability));
    Written written = storage.written;
    Table.ofFacts()
        .row("tweets", tweets())
        .row("refused", refused())
        .row(
            "time",
            "%s, %s tweets/s"
                .formatted(
                    Figures.seconds(cost.seconds), Figures.count(Math.round(cost.tweetsPerSecond))))
        .row("CPU", cpu())
        .row(
            "written",
            "%s: log %s in %s forces, flushes %s, merges %s"
                .formatted(
                    Figures.bytes(written.totalBytes()),
                    Figures.bytes(written.logBytes),
                    Figures.count(storage.logForces),
                    Figures.bytes(written.flushedBytes),
                    Figures.bytes(written.mergedBytes)))
        .row(
            "components",
            "%s after %s flushes and %s merges"
                .formatted(
                    Figures.count(storage.components),
                    Figures.count(storage.flushes),
                    Figures.count(storage.merges)))
        .row("stalls", stalls())
        .row(
            "memory",
            "heap %s of %s, resident at most %s"
                .formatted(
                    Figures.bytes(cost.heapUsedBytes),
                    Figures.bytes(cost.heapMaxBytes),
                    cost.peakResidentBytes < 0 ? "unknown" : Figures.bytes(cost.peakResidentBytes)))
        .row("recovery", Figures.seconds(recoverySeconds))
        .print(console);
  }

  private String tweets() {
    TweetSource tweets = setup.tweets;
    String acknowledged = Figures.count(feed.acknowledged) + " acknowledged";
    return tweets.tweets() == 0
        ? acknowledged
        : "%s, of ids %d to %d, seed %d"
            .formatted(
                acknowledged,
                tweets.firstId(),
                tweets.firstId() + tweets.tweets() - 1,
                tweets.seed());
  }

  private String refused() {
    if (feed.refused.isEmpty()) {
      return "none";
    }
    return feed.refused.entrySet().stream()
        .map(entry -> Figures.count(entry.getValue()) + " " + entry.getKey())
        .collect(Collectors.joining(", "));
  }

  private String cpu() {
    return cost.cpuSeconds < 0
        ? "unknown"
        : "%s, %s \u00b5s per tweet, %s collecting garbage"
            .formatted(
                Figures.seconds(cost.cpuSeconds),
                Figures.decimal(cost.cpuMicrosPerTweet),
                Figures.seconds(cost.gcSeconds));
  }

  private String stalls() {
    if (storage.stalls.isEmpty()) {
      return "none";
    }
    return storage.stalls.entrySet().stream()
        .map(
            entry ->
                "%s %s, %s together, %s at most"
                    .formatted(
                        Figures.count(entry.getValue().count),
                        entry.getKey(),
                        Figures.seconds(entry.getValue().seconds),
                        Figures.seconds(entry.getValue().longestSeconds)))
        .collect(Collectors.joining("; "));
  }
}
