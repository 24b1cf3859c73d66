package dev.varve.dataset.partition;

import dev.varve.common.maintenance.WriteGate;

/** The write gate of a node, which may be set anew while writers wait at it. Thread-safe. */
public final class NodeGate {
  private volatile WriteGate gate;

  /** The gate to begin with. */
  public NodeGate(WriteGate first) {
    this.gate = first;
  }

  /** The gate as it is set now. */
  public WriteGate get() {
    return gate;
  }

  /** Sets it anew; the caller wakes those who wait. */
  public void set(WriteGate other) {
    gate = other;
  }
}
