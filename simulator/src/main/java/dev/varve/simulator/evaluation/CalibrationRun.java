package dev.varve.simulator.evaluation;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.EngineSeams;
import dev.varve.simulator.Arrivals;
import dev.varve.simulator.SimulationOptions;
import dev.varve.simulator.calibration.Calibration;
import dev.varve.simulator.calibration.CalibrationResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Runs the real engine under pairs of a policy and a scheduler, on a node for each, and holds the
 * simulator against each run. Writes come as fast as they are taken: no run asks more of a
 * simulator. The budget keeps a node far below what the machine can do, so several run at a time,
 * each as if its device were its own; all are loaded before the first one runs. Pairs that end the
 * most merges run by themselves, after the others. Thread-safe.
 */
public final class CalibrationRun {
  /**
   * What is run, and how long.
   *
   * @param pairs what under
   * @param scale of the nodes; some pairs have fewer flushes
   * @param seconds of each run
   * @param atOnce how many run at a time, of those that do not run alone
   */
  public record Plan(List<CalibrationPair> pairs, Scale scale, double seconds, int atOnce) {
    /** Copies the list, and checks the numbers. */
    public Plan {
      pairs = List.copyOf(pairs);
      if (pairs.isEmpty() || atOnce < 1) {
        throw new IllegalArgumentException(pairs.size() + " pairs, " + atOnce + " at a time");
      }
    }
  }

  /** Is told how far it is, by several threads. */
  @FunctionalInterface
  public interface Watcher {
    /** A pair is loaded, or run. */
    void begins(String what, CalibrationPair pair);
  }

  /**
   * What came of a pair.
   *
   * @param pair what was run
   * @param result how near the simulator comes; empty if the engine failed
   * @param problem how it failed; empty if it did not
   */
  public record Outcome(CalibrationPair pair, Optional<CalibrationResult> result, String problem) {}

  private static final int WINDOWS = 30;

  /** Of the windows, those that are left out of the throughput. */
  private static final int WARM_UP_WINDOWS = 5;

  private final Plan plan;
  private final EngineSeams seams;
  private final Watcher watcher;

  private CalibrationRun(Plan plan, EngineSeams seams, Watcher watcher) {
    this.plan = plan;
    this.seams = seams;
    this.watcher = watcher;
  }

  /** Runs everything; the outcomes are in the order of the pairs. */
  public static List<Outcome> run(Plan plan, EngineSeams seams, Path directory, Watcher watcher)
      throws StorageException {
    try (ScratchDirectory scratch = new ScratchDirectory(seams.files(), directory)) {
      return new CalibrationRun(plan, seams, watcher).run(scratch.path());
    }
  }

  private List<Outcome> run(Path directory) {
    List<PairRun> runs = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(seams.random().nextLong());
    for (CalibrationPair pair : plan.pairs) {
      EngineSeams own =
          new EngineSeams(
              new OwnDevice(seams.files()), seams.clock(), seams.executor(), random.split());
      Path path = directory.resolve("node-" + (runs.size() + 1));
      runs.add(
          new PairRun(pair, new ScaledNode(pair.scaleOf(plan.scale), pair.policy(), own, path)));
    }
    List<Runnable> loads = new ArrayList<>();
    List<Runnable> measured = new ArrayList<>();
    List<Runnable> alone = new ArrayList<>();
    for (PairRun run : runs) {
      loads.add(() -> run.step("load", () -> run.node.load(count -> {})));
      (run.pair.runsAlone() ? alone : measured).add(() -> run.step("run", run::measure));
    }
    SideBySide.run(seams.executor(), plan.atOnce, loads);
    SideBySide.run(seams.executor(), plan.atOnce, measured);
    SideBySide.run(seams.executor(), 1, alone);
    return runs.stream().map(PairRun::outcome).toList();
  }

  /** A part of a pair's run. */
  @FunctionalInterface
  private interface Step {
    void run() throws StorageException;
  }

  /** One pair; steps of it follow each other, on any thread. */
  private final class PairRun {
    private final CalibrationPair pair;
    private final ScaledNode node;
    private volatile Optional<CalibrationResult> result = Optional.empty();
    private volatile String problem = "";

    PairRun(CalibrationPair pair, ScaledNode node) {
      this.pair = pair;
      this.node = node;
    }

    /** Does a step, unless one before it failed. */
    void step(String what, Step step) {
      if (!problem.isEmpty()) {
        return;
      }
      watcher.begins(what, pair);
      try {
        step.run();
      } catch (StorageException | RuntimeException e) {
        problem = what + ": " + e;
      }
    }

    void measure() throws StorageException {
      double window = plan.seconds / WINDOWS;
      SimulationOptions.Time time =
          new SimulationOptions.Time(plan.seconds, WARM_UP_WINDOWS * window, window);
      Run run =
          node.run(Load.of(pair.scheduler(), Arrivals.closed(), time), (due, begun, ended) -> {});
      result = Optional.of(Calibration.of(run.recording()));
    }

    Outcome outcome() {
      return new Outcome(pair, result, problem);
    }
  }
}
