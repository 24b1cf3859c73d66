package dev.varve.simulator;

import dev.varve.scheduler.tuner.Tuner;
import dev.varve.scheduler.tuner.TunerLimits;
import dev.varve.scheduler.tuner.TunerSetting;
import dev.varve.scheduler.tuner.TunerText;
import dev.varve.scheduler.tuner.WriteLimits;

/**
 * A node of RocksDB's shape under a tuner. Equal options give equal results, to the last digit.
 *
 * @param device what is written to
 * @param load what clients do
 * @param tuner sets threads, memory and bandwidth each second
 * @param configured what the node is configured to
 * @param limits where writers slow down and stop
 * @param time how long, and what of it is measured
 */
public record FlowOptions(
    FlowDevice device,
    FlowLoad load,
    Tuner tuner,
    TunerSetting configured,
    WriteLimits limits,
    SimulationOptions.Time time) {
  private static final long MEMORY_BYTES = 64L << 20;

  /** An hour of ADOC's {@code fillrandom} under a tuner, from RocksDB's two threads and 64 MB. */
  public static FlowOptions paper(FlowDevice device, String tuner) {
    return new FlowOptions(
        device,
        FlowLoad.FILL_RANDOM,
        TunerText.parse(tuner),
        TunerSetting.of(2, MEMORY_BYTES, TunerSetting.Io.OPEN),
        WriteLimits.ADOC,
        new SimulationOptions.Time(3600, 0, 10));
  }

  /** The same with another load. */
  public FlowOptions withLoad(FlowLoad other) {
    return new FlowOptions(device, other, tuner, configured, limits, time);
  }

  /** The same under another tuner. */
  public FlowOptions withTuner(Tuner other) {
    return new FlowOptions(device, load, other, configured, limits, time);
  }

  /** The same over another time. */
  public FlowOptions withTime(SimulationOptions.Time other) {
    return new FlowOptions(device, load, tuner, configured, limits, other);
  }

  /** Between what the tuner may choose. */
  TunerLimits tunerLimits() {
    return TunerLimits.paper(device.bytesPerSecond());
  }
}
