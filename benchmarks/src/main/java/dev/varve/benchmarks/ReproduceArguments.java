package dev.varve.benchmarks;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments of {@code varve reproduce}. Filled by picocli. */
final class ReproduceArguments {
  @Parameters(
      paramLabel = "EXPERIMENT",
      arity = "1",
      description = "table4, fig5 or fig6 of Storage Management in AsterixDB.")
  String experiment = "";

  @Option(
      names = {"-n", "--n"},
      paramLabel = "N",
      defaultValue = "5000000",
      description =
          "Points, where the paper has 250 million; memory, cache and merged components shrink in"
              + " the same proportion (default: ${DEFAULT-VALUE}).")
  int count;

  @Option(
      names = "--read-micros",
      paramLabel = "MICROS",
      description =
          "What each read takes longer where it stands for a device's, since files of this size are"
              + " all in the system's page cache (default: 4000, as on the paper's disks; fig5:"
              + " 100, because with those the tree in place takes hours).")
  @Nullable Long readMicros;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "42",
      description = "Of data and queries (default: ${DEFAULT-VALUE}).")
  long seed;

  @Mixin OutputArguments output = new OutputArguments();
}
