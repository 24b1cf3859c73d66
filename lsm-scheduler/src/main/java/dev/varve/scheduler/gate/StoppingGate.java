package dev.varve.scheduler.gate;

import dev.varve.common.maintenance.GateDecision;
import dev.varve.common.maintenance.StallCause;
import dev.varve.common.maintenance.WriteConditions;
import dev.varve.common.maintenance.WriteGate;

/**
 * Lets writes run as fast as they can until something is full, and stops them then: the interaction
 * that On Performance Stability in LSM-based Storage Systems shows to delay each write least.
 * Causes are looked at in the order of {@link StallCause}. Immutable.
 */
public record StoppingGate() implements WriteGate {
  @Override
  public GateDecision decide(WriteConditions conditions) {
    if (conditions.failedFlush().isPresent()) {
      return closed(StallCause.DISK_SPACE, "a flush failed: " + conditions.failedFlush().get());
    }
    if (conditions.freeMemoryComponents() == 0) {
      return closed(StallCause.MEMORY_FULL, "every memory component waits for its flush");
    }
    if (conditions.memoryBytes().full()) {
      return closed(
          StallCause.MEMORY_FULL,
          "flushes are behind: " + conditions.memoryBytes() + " bytes of memory components");
    }
    if (conditions.sharedBytes().full()) {
      return closed(
          StallCause.MEMORY_BUDGET,
          "flushes are behind: "
              + conditions.sharedBytes()
              + " bytes of the memory that all datasets share");
    }
    if (conditions.components().full()) {
      return closed(
          StallCause.COMPONENT_LIMIT,
          "merges are behind: " + conditions.components() + " disk components");
    }
    if (conditions.logBytes().full()) {
      return closed(
          StallCause.LOG_SPACE,
          "the log's low-water mark is behind: " + conditions.logBytes() + " bytes of log");
    }
    return new GateDecision.Open();
  }

  private static GateDecision closed(StallCause cause, String holder) {
    return new GateDecision.Closed(cause, holder);
  }

  @Override
  public String describe() {
    return "stop";
  }
}
