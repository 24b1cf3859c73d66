package dev.varve.cli.command;

import dev.varve.report.command.ByteSize;
import dev.varve.scheduler.admission.WriteGates;
import dev.varve.scheduler.scheduling.SchedulerText;
import dev.varve.simulator.Arrivals;
import dev.varve.simulator.KeyModel;
import dev.varve.simulator.SimulatedNode;
import dev.varve.simulator.SimulatedTree;
import dev.varve.simulator.SimulationOptions;
import dev.varve.simulator.TreeStructure;
import dev.varve.simulator.UniformKeys;
import dev.varve.simulator.ZipfKeys;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The node that {@code varve simulate} simulates. Filled by picocli. */
final class SimulateOptions {
  private static final double SECONDS_PER_HOUR = 3600;
  private static final double SECONDS_PER_MINUTE = 60;

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      defaultValue = "tiering(3)",
      description =
          "Merge policy: none, constant(K), prefix(BYTES, N), tiering(T), leveling(T),"
              + " size-tiered(RATIO, MIN, MAX), partitioned-leveling(T), binomial(K) and others"
              + " (default: ${DEFAULT-VALUE}).")
  String policy = "";

  @Option(
      names = "--ratio",
      paramLabel = "T",
      description = "The parameter of a policy that is given by its name alone.")
  @Nullable String ratio;

  @Option(
      names = "--scheduler",
      paramLabel = "SCHEDULER",
      defaultValue = "fair",
      description =
          "Merge scheduler: single, fair, greedy(K), bounded-greedy(N) and others (default:"
              + " ${DEFAULT-VALUE}).")
  String scheduler = "fair";

  @Option(
      names = "--gate",
      paramLabel = "GATE",
      defaultValue = "stop",
      description =
          "Write gate: stop, slow(FROM, BYTES_PER_SECOND), spring(FROM, BYTES_PER_SECOND) or"
              + " cap(BYTES_PER_SECOND) (default: ${DEFAULT-VALUE}).")
  String gate = "stop";

  @Option(
      names = "--limit",
      paramLabel = "N",
      description =
          "Disk components at which writes stop: a number, none, or local for one of each level"
              + " (default: what the policy says).")
  @Nullable String limit;

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "100000000",
      description = "Records that are loaded first (default: ${DEFAULT-VALUE}).")
  long records;

  @Option(
      names = "--record-bytes",
      paramLabel = "BYTES",
      defaultValue = "1024",
      description = "What a record takes (default: ${DEFAULT-VALUE}).")
  int recordBytes;

  @Option(
      names = "--memory",
      paramLabel = "BYTES",
      converter = ByteSize.RateConverter.class,
      defaultValue = "128MB",
      description = "A memory component; there are two (default: ${DEFAULT-VALUE}).")
  ByteSize memory = new ByteSize(0);

  @Option(
      names = "--budget",
      paramLabel = "BYTES",
      converter = ByteSize.RateConverter.class,
      defaultValue = "100MB/s",
      description =
          "What flushes and merges may write in a second, flushes first (default:"
              + " ${DEFAULT-VALUE}).")
  ByteSize budget = new ByteSize(0);

  @Option(
      names = "--speed",
      paramLabel = "RECORDS",
      defaultValue = "60000",
      description =
          "Records that memory takes in a second when nothing holds writers back (default:"
              + " ${DEFAULT-VALUE}).")
  double speed;

  @Option(
      names = "--arrivals",
      paramLabel = "ARRIVALS",
      defaultValue = "closed",
      description = Arrivals.SYNTAX + " (default: ${DEFAULT-VALUE}).")
  String arrivals = "closed";

  @Option(
      names = "--keys",
      paramLabel = "KEYS",
      defaultValue = "uniform",
      description = "Which keys are updated: uniform or zipf (default: ${DEFAULT-VALUE}).")
  Keys keys = Keys.UNIFORM;

  @Option(
      names = "--hours",
      paramLabel = "N",
      defaultValue = "2",
      description = "How long (default: ${DEFAULT-VALUE}).")
  double hours;

  @Option(
      names = "--warm-up",
      paramLabel = "MINUTES",
      defaultValue = "20",
      description =
          "What the throughput leaves out at the beginning (default: ${DEFAULT-VALUE} minutes).")
  double warmUpMinutes;

  /** Key models by name. */
  enum Keys {
    /** All keys alike. */
    UNIFORM,
    /** The skew of YCSB. */
    ZIPF
  }

  /**
   * The simulation that the options describe.
   *
   * @throws IllegalArgumentException saying which option is wrong
   */
  SimulationOptions toSimulation() {
    KeyModel model =
        switch (keys) {
          case UNIFORM -> new UniformKeys(records);
          case ZIPF -> new ZipfKeys(records, ZipfKeys.YCSB_SKEW);
        };
    return new SimulationOptions(
        new SimulatedNode(memory.bytes(), 2, budget.bytes(), speed, 1),
        List.of(new SimulatedTree("primary", records, recordBytes, model, structure())),
        SchedulerText.parse(scheduler),
        WriteGates.parse(gate),
        Arrivals.parse(arrivals),
        new SimulationOptions.Time(
            hours * SECONDS_PER_HOUR,
            Math.min(warmUpMinutes * SECONDS_PER_MINUTE, hours * SECONDS_PER_HOUR / 2),
            SimulationOptions.Time.PAPER.windowSeconds()));
  }

  private TreeStructure structure() {
    String named = ratio == null ? policy : policy + "(" + ratio + ")";
    return TreeStructure.parse(limit == null ? named : named + " limit " + limit);
  }
}
