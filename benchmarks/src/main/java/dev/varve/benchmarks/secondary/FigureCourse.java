package dev.varve.benchmarks.secondary;

import dev.varve.benchmarks.store.ReadDelay;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The course of a phase: when writes arrive, and what was done in each part of the time.
 * Thread-safe.
 */
final class FigureCourse {
  private static final int WINDOWS = 60;

  /** The paper leaves 20 minutes of 120 out. */
  private static final int WARM_UP_WINDOWS = 10;

  /** The selectivity of queries changes so often: each has a quarter of the time, in turn. */
  private static final int SLICES = 8;

  private final long beginNanos;
  private final long nanos;
  private final double arrivalsPerSecond;
  private final ReadDelay delay;
  private final AtomicLong arrived = new AtomicLong();
  private final AtomicLongArray written = new AtomicLongArray(WINDOWS);
  private final AtomicLongArray answered =
      new AtomicLongArray(SecondaryFigure.SELECTIVITIES.size());
  private final AtomicLongArray answeringNanos = new AtomicLongArray(answered.length());

  FigureCourse(long beginNanos, double seconds, double arrivalsPerSecond, ReadDelay delay) {
    this.delay = delay;
    this.beginNanos = beginNanos;
    this.nanos = (long) (seconds * 1e9);
    this.arrivalsPerSecond = arrivalsPerSecond;
  }

  /** A thread takes part: what it reads comes from a device. */
  void begin() {
    delay.join();
  }

  /** The next write arrives then; at once where nothing but the writer's time holds it back. */
  long nextArrival(long now) {
    return arrivalsPerSecond == 0
        ? now
        : beginNanos + (long) (arrived.incrementAndGet() * 1e9 / arrivalsPerSecond);
  }

  boolean isOver(long now) {
    return now - beginNanos >= nanos;
  }

  boolean isWarmUp(long now) {
    return now - beginNanos < nanos / WINDOWS * WARM_UP_WINDOWS;
  }

  /** How much of the time is over, from 0 to 1. */
  double part(long now) {
    return Math.min(1, (now - beginNanos) / (double) nanos);
  }

  /** A write has ended. */
  void wrote(long now) {
    int window = (int) ((now - beginNanos) / (nanos / WINDOWS));
    if (window < WINDOWS) {
      written.incrementAndGet(window);
    }
  }

  /** Which selectivity queries have now. */
  int selectivity(long now) {
    return (int) ((now - beginNanos) / (nanos / SLICES)) % answered.length();
  }

  /** A query has ended, which took so long. */
  void answered(int selectivity, long tookNanos) {
    answered.incrementAndGet(selectivity);
    answeringNanos.addAndGet(selectivity, tookNanos);
  }

  double recordsPerSecond() {
    return windows().stream()
        .skip(WARM_UP_WINDOWS)
        .mapToDouble(Double::doubleValue)
        .average()
        .orElse(0);
  }

  /** Standard deviation of what windows took, of their mean. */
  double variation() {
    double mean = recordsPerSecond();
    double squares =
        windows().stream()
            .skip(WARM_UP_WINDOWS)
            .mapToDouble(rate -> (rate - mean) * (rate - mean))
            .average()
            .orElse(0);
    return mean > 0 ? Math.sqrt(squares) / mean : 0;
  }

  /** Records a second, of each window. */
  List<Double> windows() {
    List<Double> rates = new ArrayList<>();
    for (int window = 0; window < WINDOWS; window++) {
      rates.add(written.get(window) * 1e9 * WINDOWS / nanos);
    }
    return rates;
  }

  /** Queries a second that so many threads answer of each selectivity. */
  List<Double> queriesPerSecond(int threads) {
    List<Double> rates = new ArrayList<>();
    for (int i = 0; i < answered.length(); i++) {
      rates.add(threads * 1e9 * answered.get(i) / Math.max(1, answeringNanos.get(i)));
    }
    return rates;
  }
}
