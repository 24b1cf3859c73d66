package dev.varve.common.env;

/** The machine's clock. Thread-safe: no state. */
@SeamImplementation
public final class SystemClock implements Clock {
  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public long currentTimeMillis() {
    return System.currentTimeMillis();
  }
}
