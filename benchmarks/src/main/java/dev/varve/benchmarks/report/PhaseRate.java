package dev.varve.benchmarks.report;

import dev.varve.benchmarks.kv.Action;
import dev.varve.benchmarks.kv.Phase;

/**
 * By which figure stores are compared in a phase: loads with the background work that they cause.
 *
 * @param phase the phase
 */
record PhaseRate(Phase phase) {
  Metric metric() {
    return switch (phase.action().extent()) {
      case RECORDS -> phase.action() == Action.RECOVER ? Metric.SECONDS : Metric.SETTLED_RATE;
      case FIFTH -> Metric.SETTLED_RATE;
      case WINDOW, PASS -> Metric.RATE;
    };
  }
}
