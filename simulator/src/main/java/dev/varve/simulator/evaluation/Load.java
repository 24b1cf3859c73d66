package dev.varve.simulator.evaluation;

import dev.varve.scheduler.tuner.Tuner;
import dev.varve.scheduler.tuner.TunerText;
import dev.varve.simulator.Arrivals;
import dev.varve.simulator.SimulationOptions;

/**
 * What a node is put under.
 *
 * @param scheduler as {@code SchedulerText} reads it
 * @param arrivals when writes arrive
 * @param time how long, and in which windows
 * @param recordsPerSecond how fast the writer goes at most; infinite for as fast as it can, finite
 *     where a write takes no time, because the clock only moves when somebody waits
 * @param tuner what changes the node meanwhile
 */
public record Load(
    String scheduler,
    Arrivals arrivals,
    SimulationOptions.Time time,
    double recordsPerSecond,
    Tuner tuner) {
  /** A load under which nothing is tuned. */
  public Load(
      String scheduler, Arrivals arrivals, SimulationOptions.Time time, double recordsPerSecond) {
    this(scheduler, arrivals, time, recordsPerSecond, TunerText.FIXED);
  }

  /** A load by a writer that goes as fast as it can. */
  public static Load of(String scheduler, Arrivals arrivals, SimulationOptions.Time time) {
    return new Load(scheduler, arrivals, time, Double.POSITIVE_INFINITY);
  }
}
