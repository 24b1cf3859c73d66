package dev.varve.cli.evaluation;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.engine.EngineSeams;
import dev.varve.scheduler.calibration.Calibration;
import dev.varve.scheduler.calibration.CalibrationResult;
import dev.varve.scheduler.simulator.Arrivals;
import dev.varve.scheduler.simulator.SimulationOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the real engine under each policy and scheduler, on a node of its own, and holds the
 * simulator against each run. Writes come as fast as they are taken: no run asks more of a
 * simulator. Confined to its caller.
 */
public final class CalibrationRun {
  /** What is run, and how long. */
  public record Plan(List<String> policies, List<String> schedulers, Scale scale, double seconds) {
    /** The paper's policies and schedulers of full merges. */
    public static Plan of(Scale scale, double seconds) {
      return new Plan(
          List.of("tiering(3)", "leveling(10)"),
          List.of("single", "fair", "greedy"),
          scale,
          seconds);
    }

    /** Copies the lists. */
    public Plan {
      policies = List.copyOf(policies);
      schedulers = List.copyOf(schedulers);
    }

    /** How many runs. */
    public int runs() {
      return policies.size() * schedulers.size();
    }
  }

  /** Is told how far it is. */
  @FunctionalInterface
  public interface Watcher {
    /** A run begins. */
    void begins(String policy, String scheduler);
  }

  private static final int WINDOWS = 30;

  /** Of the windows, those that are left out of the throughput. */
  private static final int WARM_UP_WINDOWS = 5;

  private CalibrationRun() {}

  /** Runs everything, one after the other. */
  public static List<CalibrationResult> run(
      Plan plan, EngineSeams seams, Path directory, Watcher watcher) throws StorageException {
    double window = plan.seconds / WINDOWS;
    SimulationOptions.Time time =
        new SimulationOptions.Time(plan.seconds, WARM_UP_WINDOWS * window, window);
    List<CalibrationResult> results = new ArrayList<>();
    for (String policy : plan.policies) {
      for (String scheduler : plan.schedulers) {
        watcher.begins(policy, scheduler);
        try (ScratchDirectory scratch = new ScratchDirectory(seams.files(), directory)) {
          ScaledNode node = new ScaledNode(plan.scale, policy, seams, scratch.path());
          node.load(count -> {});
          Run run =
              node.run(Load.of(scheduler, Arrivals.closed(), time), (due, begun, ended) -> {});
          results.add(Calibration.of(run.recording()));
        }
      }
    }
    return results;
  }
}
