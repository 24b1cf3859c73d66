package dev.varve.simulator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Latencies as they come out of flows: of so many writes, spread evenly between two bounds. Their
 * percentiles are exact, so there is no histogram. Confined to the simulation.
 */
final class LatencyRecorder {
  /** What is closer together than this counts as equal, so that no density becomes infinite. */
  private static final double EQUAL_SECONDS = 1e-7;

  private final List<Spread> spreads = new ArrayList<>();
  private double writes;
  private double seconds;

  /** Adds writes whose latencies lie evenly between two bounds, in either order. */
  void add(double oneSeconds, double otherSeconds, double count) {
    if (count <= 0) {
      return;
    }
    Spread spread =
        new Spread(Math.min(oneSeconds, otherSeconds), Math.max(oneSeconds, otherSeconds), count);
    writes += count;
    seconds += count * (spread.low + spread.high) / 2;
    Spread last = spreads.isEmpty() ? null : spreads.get(spreads.size() - 1);
    if (last != null && last.low == spread.low && last.high == spread.high) {
      spreads.set(spreads.size() - 1, new Spread(last.low, last.high, last.count + count));
    } else {
      spreads.add(spread);
    }
  }

  /** The percentiles; zeros when there was no write. */
  LatencySummary summary() {
    if (writes == 0) {
      return new LatencySummary(0, 0, 0, 0, 0, 0, 0);
    }
    double[] found = quantiles(0.5, 0.9, 0.99, 0.999);
    double max = spreads.stream().mapToDouble(Spread::high).max().orElse(0);
    return new LatencySummary(
        writes, seconds / writes, found[0], found[1], found[2], found[3], max);
  }

  /** Walks up the sum of all distributions; the parts must ascend. */
  private double[] quantiles(double... parts) {
    List<Bend> bends = new ArrayList<>();
    for (Spread spread : spreads) {
      if (spread.high - spread.low < EQUAL_SECONDS) {
        bends.add(new Bend(spread.high, 0, spread.count));
      } else {
        double density = spread.count / (spread.high - spread.low);
        bends.add(new Bend(spread.low, density, 0));
        bends.add(new Bend(spread.high, -density, 0));
      }
    }
    bends.sort(Comparator.comparingDouble(Bend::at));
    double[] found = new double[parts.length];
    int next = 0;
    double at = 0;
    double density = 0;
    double below = 0;
    for (Bend bend : bends) {
      double reached = below + density * (bend.at - at);
      while (next < parts.length && parts[next] * writes <= reached) {
        double missing = parts[next] * writes - below;
        found[next++] = density > 0 ? Math.min(bend.at, at + missing / density) : bend.at;
      }
      below = reached + bend.jump;
      while (next < parts.length && parts[next] * writes <= below) {
        found[next++] = bend.at;
      }
      at = bend.at;
      density = Math.max(0, density + bend.densityChange);
    }
    while (next < parts.length) {
      found[next++] = at;
    }
    return found;
  }

  private record Spread(double low, double high, double count) {}

  /** Where the number of writes below a latency begins to grow faster, slower, or jumps. */
  private record Bend(double at, double densityChange, double jump) {}
}
