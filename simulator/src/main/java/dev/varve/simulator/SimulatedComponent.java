package dev.varve.simulator;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;

/**
 * A disk component as numbers.
 *
 * @param stats as policies see it
 * @param loaded initially loaded keys that were merged into it
 * @param updates updates that were merged into it
 */
record SimulatedComponent(ComponentStats stats, double loaded, double updates) {
  ComponentId id() {
    return stats.id();
  }

  long bytes() {
    return stats.bytes();
  }
}
