package dev.varve.scheduler.tuner;

import java.util.List;

/** Windows of a second as a tuner may meet them. */
final class Flows {
  private Flows() {}

  /** What waits, and how memory does. */
  record Waits(int level0, long pendingBytes, int flushes, int overflows) {
    /** Flushes go on and nothing waits. */
    static final Waits NOTHING = new Waits(0, 0, 1, 0);
  }

  /** A window with all merge threads in use. */
  static FlowObservation of(Waits waits) {
    return of(waits, 100, new FlowObservation.Busy(0, 0, 0, 100, 1));
  }

  /** A window in which so many bytes were written. */
  static FlowObservation of(Waits waits, double written, FlowObservation.Busy busy) {
    return new FlowObservation(
        1,
        List.of(new IndexFlow("i", waits.level0, Integer.MAX_VALUE, waits.pendingBytes, 0, 0)),
        new FlowObservation.Memory(waits.flushes, waits.overflows, waits.flushes > 0 ? 1 : 0),
        new FlowObservation.Rates(written, 0, 0, 0, 1, 0),
        busy,
        FlowObservation.Stalls.NONE);
  }
}
