package dev.varve.benchmarks.measure;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.common.env.Clock;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * How many operations a thread did, and how long each took. Confined to that thread, but for the
 * count; others read the rest when the thread has ended.
 */
public final class Timings {
  private static final long HIGHEST_NANOS = 600_000_000_000L;

  private final Clock clock;
  private final Histogram histogram = new Histogram(HIGHEST_NANOS, 3);
  private final AtomicLong done = new AtomicLong();
  private long startNanos;
  private long endNanos;
  private long allocatedBytes;

  /** Something that is done over and over. */
  @FunctionalInterface
  public interface Operation {
    /** Does the number-th. */
    void run(long number) throws BenchmarkException;
  }

  /** Timings of nothing so far. */
  public Timings(Clock clock) {
    this.clock = clock;
  }

  /** The thread's work begins now. */
  public long start() {
    allocatedBytes = -ProcessCost.allocatedByThisThread();
    startNanos = clock.nanoTime();
    return startNanos;
  }

  /** The thread's work ends now. */
  public void end() {
    endNanos = clock.nanoTime();
    allocatedBytes += ProcessCost.allocatedByThisThread();
  }

  /** Takes how long an operation took. */
  public void record(long nanos) {
    histogram.recordValue(Math.min(nanos, HIGHEST_NANOS));
  }

  /** Says how many operations are done. */
  public void done(long operations) {
    done.setOpaque(operations);
  }

  /**
   * Does operations one after the other, each of them timed from the end of the one before, so that
   * no stall is missed.
   *
   * @param count how many at most
   * @param seconds after which none begins
   */
  public void runAll(long count, double seconds, Operation operation) throws BenchmarkException {
    long begun = start();
    long most = (long) (seconds * 1e9);
    long last = begun;
    for (long number = 0; number < count && last - begun < most; number++) {
      operation.run(number);
      long now = clock.nanoTime();
      record(now - last);
      last = now;
      done(number + 1);
    }
    end();
  }

  /** How many operations are done; may be called from any thread. */
  public long done() {
    return done.getOpaque();
  }

  /** When the work began. */
  public long startNanos() {
    return startNanos;
  }

  /** When it ended. */
  public long endNanos() {
    return endNanos;
  }

  /** Heap bytes that the thread allocated meanwhile. */
  public long allocatedBytes() {
    return allocatedBytes;
  }

  /** What was recorded. */
  public Histogram histogram() {
    return histogram;
  }
}
