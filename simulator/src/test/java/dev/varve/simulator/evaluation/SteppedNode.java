package dev.varve.simulator.evaluation;

import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.SteppedExecutor;
import dev.varve.dataset.EngineSeams;
import dev.varve.simulator.Arrivals;
import dev.varve.simulator.SimulationOptions;
import java.nio.file.Path;

/**
 * A scaled-down node of the real engine on a disk in memory, one thread and a clock that only moves
 * when somebody waits: a minute of it takes about a second, and the same seed gives the same run.
 */
final class SteppedNode {
  /** A hundredth of a hundredth of the paper, with a tenth of its flushes. */
  static final Scale SCALE = new Scale(20_000, 512, 80, 1 << 20, 1);

  static final double SPEED = 20_000;

  /** The clock of a run, for who is told about writes. */
  final ManualClock clock = new ManualClock();

  private final ScaledNode node;

  SteppedNode(String policy, long seed) {
    EngineSeams seams =
        new EngineSeams(
            new MemoryFileSystem(), clock, new SteppedExecutor(clock, seed), Seeds.random(seed));
    this.node = new ScaledNode(SCALE, policy, seams, Path.of("/node"));
  }

  void load() throws StorageException {
    node.load(count -> {});
  }

  Run run(String scheduler, Arrivals arrivals, double seconds) throws StorageException {
    return node.run(load(scheduler, arrivals, seconds), (due, begun, ended) -> {});
  }

  static Load load(String scheduler, Arrivals arrivals, double seconds) {
    SimulationOptions.Time time = new SimulationOptions.Time(seconds, seconds / 6, seconds / 30);
    return new Load(scheduler, arrivals, time, SPEED);
  }
}
