package dev.varve.simulator;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes as a flow: they arrive at one rate, are taken at another, and queue in between, first come
 * first served. Since both rates hold over each step, latencies are exact: over the writes that
 * arrive at one rate and leave at one rate, the latency changes linearly. Confined to the
 * simulation.
 */
final class WriteFlow {
  /** A queue of less than this is none: the rest of a subtraction. */
  private static final double NO_WRITES = 1e-6;

  private final LatencyRecorder latencies;
  private double serviceSeconds;
  private final Deque<Arrived> queue = new ArrayDeque<>();
  private double queued;
  private double taken;

  WriteFlow(LatencyRecorder latencies, double serviceSeconds) {
    this.latencies = latencies;
    this.serviceSeconds = serviceSeconds;
  }

  /** What a write takes from now on when it waits for nobody. */
  void serveIn(double seconds) {
    serviceSeconds = seconds;
  }

  /** Writes that have arrived and wait. */
  double queued() {
    return queued;
  }

  /** Writes that were taken, all together. */
  double taken() {
    return taken;
  }

  /**
   * Lets time pass.
   *
   * @param from when the step begins
   * @param seconds how long it lasts; the queue may become empty at its end, not before
   * @param arriving writes per second that come
   * @param leaving writes per second that are taken
   * @return writes that were taken
   */
  double advance(double from, double seconds, double arriving, double leaving) {
    if (queued == 0 && arriving <= leaving) {
      latencies.add(serviceSeconds, serviceSeconds, arriving * seconds);
      taken += arriving * seconds;
      return arriving * seconds;
    }
    double came = arriving * seconds;
    if (came > 0) {
      queue.addLast(new Arrived(from, arriving, came));
      queued += came;
    }
    double gone = Math.min(queued, leaving * seconds);
    leave(from, leaving, gone);
    queued -= gone;
    if (queued < NO_WRITES) {
      queue.clear();
      queued = 0;
    }
    taken += gone;
    return gone;
  }

  private void leave(double from, double leaving, double count) {
    double left = count;
    while (left > 0 && !queue.isEmpty()) {
      Arrived first = queue.removeFirst();
      double part = Math.min(left, first.count);
      double began = from + (count - left) / leaving;
      left -= part;
      double ended = from + (count - left) / leaving;
      latencies.add(
          Math.max(0, began - first.fromSeconds) + serviceSeconds,
          Math.max(0, ended - first.fromSeconds - part / first.rate) + serviceSeconds,
          part);
      if (part < first.count) {
        queue.addFirst(
            new Arrived(first.fromSeconds + part / first.rate, first.rate, first.count - part));
      }
    }
    assert left <= NO_WRITES * Math.max(1, count) : left + " writes left that never came";
  }

  /** Writes that arrived one after the other at one rate. */
  private record Arrived(double fromSeconds, double rate, double count) {}
}
