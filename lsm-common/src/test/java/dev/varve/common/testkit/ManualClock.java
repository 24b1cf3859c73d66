package dev.varve.common.testkit;

import dev.varve.common.env.Clock;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that moves only when told to. Thread-safe. */
public final class ManualClock implements Clock {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final AtomicLong nanos = new AtomicLong();

  /** Wall-clock time at nano time 0: 2026-01-01T00:00Z. */
  private final AtomicLong epochMillis = new AtomicLong(1_767_225_600_000L);

  @Override
  public long nanoTime() {
    return nanos.get();
  }

  @Override
  public long currentTimeMillis() {
    return epochMillis.get() + nanos.get() / NANOS_PER_MILLI;
  }

  /** Lets time pass, on both readings. */
  public void advanceNanos(long passed) {
    if (passed < 0) {
      throw new IllegalArgumentException("time never goes back: " + passed);
    }
    nanos.addAndGet(passed);
  }

  /** Lets time pass, on both readings. */
  public void advanceMillis(long passed) {
    advanceNanos(passed * NANOS_PER_MILLI);
  }

  /** Sets the wall clock, forwards or backwards, as an administrator may. */
  public void jumpToMillis(long wallMillis) {
    epochMillis.set(wallMillis - nanos.get() / NANOS_PER_MILLI);
  }
}
