package dev.varve.simulator.evaluation;

import dev.varve.dataset.EngineStats;
import dev.varve.simulator.calibration.Recording;
import java.util.List;

/**
 * What a node did under a load.
 *
 * @param recording of the first store: shapes, decisions and throughput
 * @param components mean number of disk components of all stores in each window
 * @param stalls waits at the write gate, by cause
 * @param taken writes that ended in time
 * @param queued writes that had arrived in the end and were not begun
 */
public record Run(
    Recording recording,
    List<Double> components,
    List<EngineStats.StallSummary> stalls,
    long taken,
    long queued) {
  /** Copies the lists. */
  public Run {
    components = List.copyOf(components);
    stalls = List.copyOf(stalls);
  }
}
