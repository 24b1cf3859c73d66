package dev.varve.scheduler.gate;

import dev.varve.common.maintenance.GateDecision;
import dev.varve.common.maintenance.WriteConditions;
import dev.varve.common.maintenance.WriteGate;

/**
 * Stops writes as {@link StoppingGate} does, and caps their rate otherwise (the "Limit" of On
 * Performance Stability in LSM-based Storage Systems, figure 13): bursts wait before the gate
 * instead of filling the index. Fewer stops, longer waits. Immutable.
 *
 * @param bytesPerSecond the cap, at least 1
 */
public record CappedGate(long bytesPerSecond) implements WriteGate {
  /** Checks the cap. */
  public CappedGate {
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException("cap(" + bytesPerSecond + "): at least one byte");
    }
  }

  @Override
  public GateDecision decide(WriteConditions conditions) {
    GateDecision stopping = new StoppingGate().decide(conditions);
    return stopping instanceof GateDecision.Open
        ? new GateDecision.Paced(bytesPerSecond, "the cap on writes")
        : stopping;
  }

  @Override
  public String describe() {
    return "cap(" + bytesPerSecond + ")";
  }
}
