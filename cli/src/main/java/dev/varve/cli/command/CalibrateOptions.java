package dev.varve.cli.command;

import dev.varve.common.env.FileSystem;
import dev.varve.common.error.DiskException;
import dev.varve.simulator.evaluation.CalibrationPair;
import dev.varve.simulator.evaluation.CalibrationRun;
import dev.varve.simulator.evaluation.Scale;
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

  /** Where Linux has a file system in memory. */
  private static final Path IN_MEMORY = Path.of("/dev/shm");

  /** What nine engines at a time need at most, and as much again. */
  private static final long NEEDED_BYTES = 4L << 30;

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
          "Where to make the directory for the engine's files (default: /dev/shm, a file system in"
              + " memory, if it has 4 GB left, since the simulator knows no device whose forces take"
              + " time; else that for temporary files).")
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

  /** Where the engine's files go; a directory of this process. */
  Path scratch(FileSystem files) throws DiskException {
    Path parent = directory != null ? directory : defaultDirectory(files);
    return parent.resolve("varve-calibrate-" + ProcessHandle.current().pid()).toAbsolutePath();
  }

  private static Path defaultDirectory(FileSystem files) throws DiskException {
    if (files.exists(IN_MEMORY) && files.usableBytes(IN_MEMORY) >= NEEDED_BYTES) {
      return IN_MEMORY;
    }
    return Path.of(
        ManagementFactory.getRuntimeMXBean()
            .getSystemProperties()
            .getOrDefault("java.io.tmpdir", "."));
  }
}
