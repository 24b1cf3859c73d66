package dev.varve.scheduler.gate;

import dev.varve.common.maintenance.GateDecision;
import dev.varve.common.maintenance.Usage;
import dev.varve.common.maintenance.WriteConditions;
import dev.varve.common.maintenance.WriteGate;

/**
 * Stops writes as {@link StoppingGate} does, and slows them down before it comes to that: from a
 * part of the limit on, the rate falls in a straight line to nothing at the limit (On Performance
 * Stability in LSM-based Storage Systems, section 5.1.2). No write waits long then, but more of
 * them wait. Immutable.
 *
 * @param by what is looked at
 * @param from the part of the limit from which on writes slow down, at least 0 and below 1
 * @param bytesPerSecond the rate there, at least 1
 */
public record SlowingGate(Pressure by, double from, long bytesPerSecond) implements WriteGate {
  /** What slows writes down. */
  public enum Pressure {
    /** Disk components: merges are behind. */
    COMPONENTS,
    /** Bytes of memory: flushes are behind. The spring of bLSM's spring and gear. */
    MEMORY
  }

  /** Checks the parameters. */
  public SlowingGate {
    if (!(from >= 0 && from < 1)) {
      throw new IllegalArgumentException("slow: from " + from + " is not in [0, 1)");
    }
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException("slow: " + bytesPerSecond + " bytes per second");
    }
  }

  @Override
  public GateDecision decide(WriteConditions conditions) {
    GateDecision stopping = new StoppingGate().decide(conditions);
    if (!(stopping instanceof GateDecision.Open)) {
      return stopping;
    }
    Usage usage =
        switch (by) {
          case COMPONENTS -> conditions.components();
          case MEMORY -> fuller(conditions.memoryBytes(), conditions.sharedBytes());
        };
    if (usage.fraction() <= from) {
      return stopping;
    }
    double left = (1 - usage.fraction()) / (1 - from);
    String holder =
        switch (by) {
          case COMPONENTS -> "merges are behind: " + usage + " disk components";
          case MEMORY -> "flushes are behind: " + usage + " bytes of memory components";
        };
    return new GateDecision.Paced(Math.max(1, Math.round(left * bytesPerSecond)), holder);
  }

  private static Usage fuller(Usage one, Usage other) {
    return one.fraction() >= other.fraction() ? one : other;
  }

  @Override
  public String describe() {
    String name =
        switch (by) {
          case COMPONENTS -> "slow";
          case MEMORY -> "spring";
        };
    return name + "(" + from + ", " + bytesPerSecond + ")";
  }
}
