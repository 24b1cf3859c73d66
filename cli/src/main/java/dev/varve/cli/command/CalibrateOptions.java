package dev.varve.cli.command;

import dev.varve.cli.evaluation.CalibrationRun;
import dev.varve.cli.evaluation.Scale;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code varve simulate --calibrate} runs. Filled by picocli. */
final class CalibrateOptions {
  /** Seven to a page of 4 KB, so that a memory component of an 800th holds 250 of them. */
  private static final int RECORD_BYTES = 512;

  private static final long RECORDS = 200_000;
  private static final long BUDGET = 10L << 20;
  private static final long SEED = 42;

  @Option(
      names = "--calibrate",
      description =
          "Run the real engine under tiering(3) and leveling(10) with single, fair and greedy, and hold"
              + " the simulator against it: throughput and components over time within 10 %%, the"
              + " same decisions. The exit code is 1 when one does not hold. Other options but"
              + " --calibrate-seconds, --dir, --html and --json are not looked at.")
  boolean calibrate;

  @Option(
      names = "--calibrate-seconds",
      paramLabel = "N",
      defaultValue = "30",
      description = "How long the engine runs each time (default: ${DEFAULT-VALUE}).")
  double seconds;

  @Option(
      names = {"-d", "--dir"},
      paramLabel = "DIR",
      description =
          "Where to make the directory for the engine's files (default: that for temporary files).")
  @Nullable Path directory;

  /**
   * What to run.
   *
   * @throws IllegalArgumentException saying which option is wrong
   */
  CalibrationRun.Plan plan() {
    if (!(seconds >= 1 && seconds <= 3600)) {
      throw new IllegalArgumentException("--calibrate-seconds is not between 1 and 3600");
    }
    return CalibrationRun.Plan.of(
        new Scale(RECORDS, RECORD_BYTES, Scale.PAPER_FLUSHES, BUDGET, SEED), seconds);
  }

  Path scratch() {
    Path parent =
        directory != null
            ? directory
            : Path.of(
                ManagementFactory.getRuntimeMXBean()
                    .getSystemProperties()
                    .getOrDefault("java.io.tmpdir", "."));
    return parent.resolve("varve-calibrate-" + ProcessHandle.current().pid()).toAbsolutePath();
  }
}
