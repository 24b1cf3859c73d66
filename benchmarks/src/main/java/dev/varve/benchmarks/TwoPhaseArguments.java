package dev.varve.benchmarks;

import dev.varve.report.command.ByteSize;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The arguments of {@code varve bench twophase}. Filled by picocli. */
final class TwoPhaseArguments {
  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description = "Merge policy, may be repeated (default: tiering(3) and leveling(10)).")
  List<String> policies = List.of("tiering(3)", "leveling(10)");

  @Option(
      names = "--scheduler",
      paramLabel = "SCHEDULER",
      split = ",",
      description =
          "Merge schedulers of the running phase (default: single,fair,greedy); the testing phase"
              + " runs under fair.")
  List<String> schedulers = List.of("single", "fair", "greedy");

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "How long each phase lasts after its load (default: ${DEFAULT-VALUE}).")
  double seconds;

  @Option(
      names = "--budget",
      paramLabel = "BYTES",
      converter = ByteSize.RateConverter.class,
      defaultValue = "10MB/s",
      description =
          "What flushes and merges may write in a second, flushes first (default:"
              + " ${DEFAULT-VALUE}).")
  ByteSize budget = new ByteSize(0);

  @Option(
      names = {"-n", "--records"},
      paramLabel = "N",
      defaultValue = "200000",
      description =
          "Records that are loaded and then updated at random; a memory component holds one of 800"
              + " parts (default: ${DEFAULT-VALUE}).")
  long records;

  @Option(
      names = "--record-bytes",
      paramLabel = "BYTES",
      defaultValue = "512",
      description = "What a record takes, its key included (default: ${DEFAULT-VALUE}).")
  int recordBytes;

  @Option(
      names = "--utilization",
      paramLabel = "PART",
      defaultValue = "0.95",
      description =
          "The part of the maximum that arrives in the running phase (default: ${DEFAULT-VALUE}).")
  double utilization;

  @Option(
      names = "--arrivals",
      paramLabel = "ARRIVALS",
      description =
          "What arrives in the running phase, constant:RATE or burst:RATExSECONDS,...; there is no"
              + " testing phase then (default: --utilization of its maximum, at a constant pace).")
  @Nullable String arrivals;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "42",
      description = "Of the updates (default: ${DEFAULT-VALUE}).")
  long seed;

  @Mixin OutputArguments output = new OutputArguments();
}
