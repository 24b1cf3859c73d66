package dev.varve.simulator;

import dev.varve.scheduler.tuner.StallClass;
import dev.varve.scheduler.tuner.TunerLog;
import dev.varve.scheduler.tuner.TunerSetting;
import java.util.List;
import java.util.Map;

/**
 * What came out of a node under a tuner.
 *
 * @param simulation as of every simulation; its stalls are the times in which writers were stopped
 *     or slowed down
 * @param readsPerSecond what was read beside the writes
 * @param stalls by the paper's three classes
 * @param use mean use of threads, device and memory
 * @param jobs what ran in the background
 * @param tuner what was decided
 * @param seconds the node at the end of each second
 */
public record FlowResult(
    SimulationResult simulation,
    double readsPerSecond,
    Map<StallClass, Stalls> stalls,
    Use use,
    Jobs jobs,
    TunerLog tuner,
    List<Second> seconds) {
  /** Copies the collections. */
  public FlowResult {
    stalls = Map.copyOf(stalls);
    seconds = List.copyOf(seconds);
  }

  /**
   * Stalls of one class.
   *
   * @param count how many began
   * @param seconds how long they lasted, all together
   */
  public record Stalls(long count, double seconds) {}

  /**
   * Means over the time.
   *
   * @param memoryBytes of memory components, full or not
   * @param threads merges and flushes under way
   * @param devicePart the part of the device's bandwidth that was used
   * @param peakPart the same in the second that used most of it
   */
  public record Use(double memoryBytes, double threads, double devicePart, double peakPart) {}

  /**
   * Background work that has ended.
   *
   * @param flushes how many, and how fast each was
   * @param level0 merges of level 0
   * @param deeper all other merges
   */
  public record Jobs(Kind flushes, Kind level0, Kind deeper) {
    /**
     * One kind.
     *
     * @param count how many
     * @param bytesPerSecond mean rate of one, reads and writes together
     */
    public record Kind(long count, double bytesPerSecond) {}
  }

  /**
   * A moment.
   *
   * @param setting what the tuner says
   * @param recordsPerSecond written in the second before
   * @param level0Components how many there are
   * @param pendingBytes what waits for merges
   * @param stalledSeconds of the second before
   * @param level0Merging whether level 0 is being merged
   * @param devicePart of the bandwidth in the second before
   */
  public record Second(
      TunerSetting setting,
      double recordsPerSecond,
      int level0Components,
      long pendingBytes,
      double stalledSeconds,
      boolean level0Merging,
      double devicePart) {}

  /** Records written per second. */
  public double recordsPerSecond() {
    return simulation.recordsPerSecond();
  }

  /** Reads and writes per second. */
  public double operationsPerSecond() {
    return recordsPerSecond() + readsPerSecond;
  }

  /** Seconds in which writers were stopped or slowed down. */
  public double stalledSeconds() {
    return stalls.values().stream().mapToDouble(Stalls::seconds).sum();
  }

  /** How many stalls there were of all classes. */
  public long stallCount() {
    return stalls.values().stream().mapToLong(Stalls::count).sum();
  }
}
