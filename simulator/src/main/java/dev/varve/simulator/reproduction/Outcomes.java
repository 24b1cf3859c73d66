package dev.varve.simulator.reproduction;

import dev.varve.simulator.SimulationResult;
import dev.varve.simulator.SimulationResult.Window;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The results of a figure's runs, and what claims ask about them. Immutable. */
final class Outcomes {
  /** Latencies below this are what the paper's plots show as small. */
  static final double SMALL_SECONDS = 1;

  private static final double WARM_UP_SECONDS = 1200;

  private static final int WINDOWS_OF_A_MINUTE = 2;

  private final Map<String, SimulationResult> results;

  Outcomes(Map<String, SimulationResult> results) {
    this.results = Map.copyOf(results);
  }

  SimulationResult of(String run) {
    SimulationResult result = results.get(run);
    if (result == null) {
      throw new IllegalArgumentException("there is no run '" + run + "' in " + results.keySet());
    }
    return result;
  }

  /** Records per second. */
  double rate(String run) {
    return of(run).recordsPerSecond();
  }

  /** Seconds in which writes were held back. */
  double stalled(String run) {
    return of(run).stalls().seconds();
  }

  /** 99 of a hundred writes took at most this, their time in the queue included. */
  double p99(String run) {
    return of(run).writeLatency().p99();
  }

  /** Mean number of components. */
  double components(String run) {
    return of(run).components().mean();
  }

  /** Windows after the warm-up in which not one write was taken. */
  long silentWindows(String run) {
    return measured(run).stream().filter(window -> window.recordsPerSecond() == 0).count();
  }

  /** Standard deviation of the throughput over windows after the warm-up, in parts of its mean. */
  double variation(String run) {
    List<Window> windows = measured(run);
    double mean =
        windows.stream().mapToDouble(Window::recordsPerSecond).average().orElse(Double.NaN);
    double squares =
        windows.stream()
            .mapToDouble(window -> Math.pow(window.recordsPerSecond() - mean, 2))
            .average()
            .orElse(Double.NaN);
    return Math.sqrt(squares) / mean;
  }

  /** Throughput of the slowest minutes after the warm-up, in parts of the mean. */
  double slowest(String run, int minutes) {
    List<Window> windows = measured(run);
    int length = minutes * WINDOWS_OF_A_MINUTE;
    double slowest = Double.POSITIVE_INFINITY;
    for (int i = 0; i + length <= windows.size(); i++) {
      slowest =
          Math.min(
              slowest,
              windows.subList(i, i + length).stream()
                  .mapToDouble(Window::recordsPerSecond)
                  .average()
                  .orElseThrow());
    }
    return slowest / rate(run);
  }

  /** The part of all windows in which one run has at most as many components as another. */
  double partWithFewerComponents(String run, String than) {
    List<Window> windows = of(run).windows();
    List<Window> others = of(than).windows();
    int fewer = 0;
    for (int i = 0; i < windows.size(); i++) {
      fewer += windows.get(i).components() <= others.get(i).components() + 1e-9 ? 1 : 0;
    }
    return fewer / (double) windows.size();
  }

  /** Mean throughput in a part of the time, from 0 to 1. */
  double rateBetween(String run, double from, double to) {
    List<Window> windows = of(run).windows();
    return windows.subList((int) (from * windows.size()), (int) (to * windows.size())).stream()
        .mapToDouble(Window::recordsPerSecond)
        .average()
        .orElse(Double.NaN);
  }

  /** When the first window with a stall ends; infinite without one. */
  double firstStall(String run) {
    return stalledUpTo(run, Double.MIN_VALUE);
  }

  /** When half of the time of all stalls is over; infinite without one. */
  double halfOfStalls(String run) {
    return stalledUpTo(run, stalled(run) / 2);
  }

  private double stalledUpTo(String run, double seconds) {
    double sum = 0;
    for (Window window : of(run).windows()) {
      sum += window.stalledSeconds();
      if (sum > 0 && sum >= seconds) {
        return window.endSeconds();
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  /** How often the throughput rises above so many times its mean, after the warm-up. */
  long peaks(String run, double times) {
    long peaks = 0;
    boolean above = true;
    for (Window window : measured(run)) {
      boolean before = above;
      above = window.recordsPerSecond() > times * rate(run);
      peaks += above && !before ? 1 : 0;
    }
    return peaks;
  }

  /** When the first window ends in which writes queue; infinite without one. */
  double firstBelowArrival(String run) {
    return of(run).windows().stream()
        .filter(window -> window.queuedRecords() > 1)
        .mapToDouble(Window::endSeconds)
        .findFirst()
        .orElse(Double.POSITIVE_INFINITY);
  }

  /** How many writes queued at most. */
  double largestQueue(String run) {
    return of(run).windows().stream().mapToDouble(Window::queuedRecords).max().orElse(0);
  }

  /** Mean bytes of a partitioned level. */
  double levelBytes(String run, int level) {
    return of(run).space().levelBytes().get(level);
  }

  /** Mean components in a part of the time, from 0 to 1. */
  double componentsBetween(String run, double from, double to) {
    List<Window> windows = of(run).windows();
    return windows.subList((int) (from * windows.size()), (int) (to * windows.size())).stream()
        .mapToDouble(Window::components)
        .average()
        .orElse(Double.NaN);
  }

  /** The part of all merges with at most so many inputs. */
  double partOfMergesUpTo(String run, int inputs) {
    Map<Integer, Long> merges = of(run).merges().byInputs();
    long up =
        merges.entrySet().stream()
            .filter(entry -> entry.getKey() <= inputs)
            .mapToLong(Map.Entry::getValue)
            .sum();
    return up / (double) of(run).merges().count();
  }

  /** Merges with exactly so many inputs. */
  long mergesOf(String run, int inputs) {
    return of(run).merges().byInputs().getOrDefault(inputs, 0L);
  }

  private List<Window> measured(String run) {
    return of(run).windows().stream()
        .filter(window -> window.endSeconds() > WARM_UP_SECONDS)
        .toList();
  }

  /** Formats numbers the same everywhere. */
  static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
