package dev.varve.simulator;

import dev.varve.scheduler.admission.StallCause;
import dev.varve.scheduler.admission.StallReport.Stall;
import java.util.List;
import java.util.Map;

/**
 * What came out of a simulation.
 *
 * @param setting what was simulated
 * @param recordsPerSecond records taken per second, without the warm-up
 * @param takenRecords records taken, all together
 * @param queuedRecords records that had arrived and still waited in the end
 * @param writeLatency from the arrival of a record on, its time in the queue included
 * @param processingLatency from when a writer takes a record on
 * @param stalls when writers were held back
 * @param components how many disk components there were, all trees together
 * @param io what was written for it
 * @param space what it took on disk
 * @param merges what was merged
 * @param windows the course of it all
 */
public record SimulationResult(
    Setting setting,
    double recordsPerSecond,
    double takenRecords,
    double queuedRecords,
    LatencySummary writeLatency,
    LatencySummary processingLatency,
    Stalls stalls,
    Components components,
    Io io,
    Space space,
    Merges merges,
    List<Window> windows) {
  /** Copies the list. */
  public SimulationResult {
    windows = List.copyOf(windows);
  }

  /**
   * What was simulated, in words.
   *
   * @param policies of each tree
   * @param scheduler name and parameters
   * @param gate name and parameters
   * @param arrivals as {@link Arrivals#parse} reads it
   * @param keys of each tree
   * @param seconds how long
   */
  public record Setting(
      List<String> policies,
      String scheduler,
      String gate,
      String arrivals,
      List<String> keys,
      double seconds) {
    /** Copies the lists. */
    public Setting {
      policies = List.copyOf(policies);
      keys = List.copyOf(keys);
    }
  }

  /**
   * Times in which no write was taken although there was one.
   *
   * @param count how many
   * @param seconds all together; the sum over the causes
   * @param longestSeconds the longest
   * @param secondsByCause what each cause has cost
   * @param recent the last of them, a bounded number, in milliseconds of simulated time
   */
  public record Stalls(
      long count,
      double seconds,
      double longestSeconds,
      Map<StallCause, Double> secondsByCause,
      List<Stall> recent) {
    /** Copies the collections. */
    public Stalls {
      secondsByCause = Map.copyOf(secondsByCause);
      recent = List.copyOf(recent);
    }
  }

  /**
   * Numbers of disk components.
   *
   * @param limit where writes wait, of all trees together; {@link Long#MAX_VALUE} for never
   * @param mean over time
   * @param most at any time
   */
  public record Components(long limit, double mean, int most) {}

  /**
   * Bytes that the budget was charged with.
   *
   * @param flushedBytes by flushes that have ended
   * @param mergedBytes by merges, those under way included
   * @param writeAmplification bytes written for each byte of records flushed
   * @param busyPart the part of the budget that was used
   */
  public record Io(
      double flushedBytes, double mergedBytes, double writeAmplification, double busyPart) {}

  /**
   * Bytes on disk.
   *
   * @param liveBytes without old versions, in the end
   * @param endBytes in the end
   * @param peakBytes at most, outputs of merges that are not published included
   * @param amplification mean bytes on disk for each live byte
   * @param levelBytes mean bytes of each partitioned level of the first tree after the warm-up, its
   *     flushed components first; empty without such levels
   */
  public record Space(
      double liveBytes,
      double endBytes,
      double peakBytes,
      double amplification,
      List<Double> levelBytes) {
    /** Copies the list. */
    public Space {
      levelBytes = List.copyOf(levelBytes);
    }
  }

  /**
   * Merges that have ended.
   *
   * @param count how many
   * @param byInputs how many there were of each number of inputs
   * @param longestSeconds from the arrival of a merge to its end, waits included
   */
  public record Merges(long count, Map<Integer, Long> byInputs, double longestSeconds) {
    /** Copies the map. */
    public Merges {
      byInputs = Map.copyOf(byInputs);
    }
  }

  /**
   * A short time of the course.
   *
   * @param endSeconds when it ends
   * @param recordsPerSecond taken
   * @param components mean number of disk components
   * @param mostComponents most of them at any time
   * @param stalledSeconds in which no write was taken although there was one
   * @param queuedRecords that waited at its end
   */
  public record Window(
      double endSeconds,
      double recordsPerSecond,
      double components,
      int mostComponents,
      double stalledSeconds,
      double queuedRecords) {}
}
