package dev.varve.common.maintenance;

/**
 * Decides whether writes may begin now. Pure: the same conditions give the same decision; whoever
 * asks does the waiting. Immutable.
 */
public interface WriteGate {
  /** Open, or closed with a cause. */
  GateDecision decide(WriteConditions conditions);

  /** Name and parameters, as options and reports write them. */
  String describe();
}
