package dev.varve.benchmarks;

import dev.varve.benchmarks.measure.Pace;
import picocli.CommandLine.Option;

/** How long the phases of a comparison take, and the seed of its data. Filled by picocli. */
final class PaceArguments {
  @Option(
      names = "--window",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = "A round of a short phase (default: ${DEFAULT-VALUE}).")
  double windowSeconds;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Rounds of a short phase, all stores in turn; the median counts (default:"
              + " ${DEFAULT-VALUE}).")
  int rounds;

  @Option(
      names = "--cap",
      paramLabel = "SECONDS",
      defaultValue = "40",
      description =
          "What a load takes at most before its flushes and merges are waited for; a store that is"
              + " cut off has loaded less (default: ${DEFAULT-VALUE}).")
  double capSeconds;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "42",
      description = "Of everything that is random (default: ${DEFAULT-VALUE}).")
  long seed;

  /** The pace that was asked for. */
  Pace pace() {
    return new Pace(windowSeconds, rounds, capSeconds);
  }

  /** Whether there is a time for everything. */
  boolean isPositive() {
    return rounds >= 1 && windowSeconds > 0 && capSeconds > 0;
  }
}
