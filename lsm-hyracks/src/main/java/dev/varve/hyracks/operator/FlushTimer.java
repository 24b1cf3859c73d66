package dev.varve.hyracks.operator;

import dev.varve.common.env.Clock;
import java.util.concurrent.TimeUnit;

/**
 * When a feed's frames are to be handed on though they are not full and more records come: those of
 * a partition that few records are for would fill slowly, and what is in them is not durable.
 * Confined to one task.
 */
final class FlushTimer {
  /** While its source goes on, a feed hands each record on after so long, at most. */
  static final long NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Clock clock;
  private long flushed;

  /** A timer that begins now. */
  FlushTimer(Clock clock) {
    this.clock = clock;
    this.flushed = clock.nanoTime();
  }

  /** Whether the last flush is long enough ago. */
  boolean isDue() {
    long passed = clock.nanoTime() - flushed;
    assert passed >= 0 : passed;
    return passed >= NANOS;
  }

  /** Begins anew: all that was read until now is handed on. */
  void restart() {
    flushed = clock.nanoTime();
  }
}
