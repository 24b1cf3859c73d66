package dev.varve.simulator;

import dev.varve.common.env.Clock;

/** Time as the simulation says. Confined to the simulation. */
final class VirtualClock implements Clock {
  private static final double NANOS_PER_SECOND = 1e9;

  private long nanos;

  /** Moves on to a moment. */
  void advanceTo(double seconds) {
    long next = Math.round(seconds * NANOS_PER_SECOND);
    assert next >= nanos : "time goes back from " + nanos + " to " + next;
    nanos = next;
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public long currentTimeMillis() {
    return nanos / 1_000_000;
  }
}
