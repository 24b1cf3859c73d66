package dev.varve.simulator.reproduction;

import dev.varve.scheduler.tuner.StallClass;
import dev.varve.simulator.FlowResult;
import java.util.List;
import java.util.Map;

/** The results of a figure's runs, and what claims ask about them. Immutable. */
final class FlowOutcomes {
  private final Map<String, FlowResult> results;

  FlowOutcomes(Map<String, FlowResult> results) {
    this.results = Map.copyOf(results);
  }

  FlowResult of(String run) {
    FlowResult result = results.get(run);
    if (result == null) {
      throw new IllegalArgumentException("there is no run '" + run + "' in " + results.keySet());
    }
    return result;
  }

  /** Records per second. */
  double rate(String run) {
    return of(run).recordsPerSecond();
  }

  /** Reads and writes per second. */
  double operations(String run) {
    return of(run).operationsPerSecond();
  }

  /** Seconds in which writers were stopped or slowed down. */
  double stalled(String run) {
    return of(run).stalledSeconds();
  }

  /** The same, of one class. */
  double stalled(String run, StallClass by) {
    FlowResult.Stalls stalls = of(run).stalls().get(by);
    return stalls == null ? 0 : stalls.seconds();
  }

  /** How many stalls of a class there were. */
  double stalls(String run, StallClass by) {
    FlowResult.Stalls stalls = of(run).stalls().get(by);
    return stalls == null ? 0 : stalls.count();
  }

  /** How many stalls there were. */
  double stalls(String run) {
    return of(run).stallCount();
  }

  /** 99 of a hundred writes took at most this. */
  double p99(String run) {
    return of(run).simulation().writeLatency().p99();
  }

  /** Mean bytes of memory components. */
  double memory(String run) {
    return of(run).use().memoryBytes();
  }

  /** Mean part of the device's bandwidth that was used. */
  double device(String run) {
    return of(run).use().devicePart();
  }

  /** Changes of the setting. */
  double changes(String run) {
    return of(run).tuner().changes();
  }

  /**
   * How far merges of level 0 and stalls go together in some seconds, from -1 to 1 (Pearson).
   *
   * @param from the first second
   * @param to the one after the last
   */
  double level0AndStalls(String run, int from, int to) {
    List<FlowResult.Second> seconds = of(run).seconds().subList(from, to);
    double[] merging = seconds.stream().mapToDouble(each -> each.level0Merging() ? 1 : 0).toArray();
    double[] stalled = seconds.stream().mapToDouble(FlowResult.Second::stalledSeconds).toArray();
    double meanMerging = mean(merging);
    double meanStalled = mean(stalled);
    double both = 0;
    double squaresMerging = 0;
    double squaresStalled = 0;
    for (int i = 0; i < merging.length; i++) {
      both += (merging[i] - meanMerging) * (stalled[i] - meanStalled);
      squaresMerging += Math.pow(merging[i] - meanMerging, 2);
      squaresStalled += Math.pow(stalled[i] - meanStalled, 2);
    }
    double squares = squaresMerging * squaresStalled;
    return squares > 0 ? both / Math.sqrt(squares) : 0;
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }
}
