package dev.varve.cli.command;

import dev.varve.cli.evaluation.CalibrationPair;
import dev.varve.cli.evaluation.CalibrationRun;
import dev.varve.cli.evaluation.Scale;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code varve simulate --calibrate} runs. Filled by picocli. */
final class CalibrateOptions {
  /** Seven to a page of 4 KB, so that a memory component of an 800th holds 250 of them. */
  private static final int RECORD_BYTES = 512;

  private static final long BUDGET = 10L << 20;
  private static final long SEED = 42;

  @Option(
      names = "--calibrate",
      description =
          "Run the real engine under every policy and scheduler, and hold the simulator against it:"
              + " throughput and components over time within 10 %%, the same decisions. The exit"
              + " code is 1 when one does not hold. Other options but those of --calibrate, --dir,"
              + " --html and --json are not looked at.")
  boolean calibrate;

  @Option(
      names = "--calibrate-pair",
      paramLabel = "POLICY/SCHEDULER",
      description =
          "What to run, like 'tiering(3)/greedy'; may be given several times (default: each policy"
              + " under one scheduler at least, each scheduler under tiering and leveling).")
  List<String> pairs = List.of();

  @Option(
      names = "--calibrate-seconds",
      paramLabel = "N",
      defaultValue = "72",
      description = "How long the engine runs each time (default: ${DEFAULT-VALUE}).")
  double seconds;

  @Option(
      names = "--calibrate-records",
      paramLabel = "N",
      defaultValue = "200000",
      description =
          "How many records of 512 bytes there are, in 800 memory components (default:"
              + " ${DEFAULT-VALUE}).")
  long records;

  @Option(
      names = "--calibrate-at-once",
      paramLabel = "N",
      defaultValue = "9",
      description =
          "How many engines run at a time, each with a budget of its own (default:"
              + " ${DEFAULT-VALUE}); those under size-tiered and size-bounded run alone.")
  int atOnce;

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
    return new CalibrationRun.Plan(
        pairs.isEmpty() ? CalibrationPair.ALL : pairs.stream().map(CalibrationPair::parse).toList(),
        new Scale(records, RECORD_BYTES, Scale.PAPER_FLUSHES, BUDGET, SEED),
        seconds,
        atOnce);
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
