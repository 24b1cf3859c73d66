package dev.varve.scheduler.admission;

/**
 * How far writers are ahead of the rate at which a gate lets them write. What is written is a debt,
 * which time pays off at the rate of the moment; while there is debt, nobody begins to write. The
 * debt is kept in bytes and not as a moment, so that it is paid sooner when the rate rises
 * meanwhile. Immutable; pure.
 *
 * @param debtBytes what was written and is not paid; below 0 for what may be written at once
 * @param atNanos when that was so
 */
public record Pace(double debtBytes, long atNanos) {
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * Time that writers may catch up after they did not write: what a timer is late by, so that a
   * late wake-up does not cost throughput.
   */
  private static final double CREDIT_SECONDS = 0.01;

  /** Nothing written yet. */
  public static Pace begin(long nowNanos) {
    return new Pace(0, nowNanos);
  }

  /** The same pace later, when the rate since was this. */
  public Pace at(long bytesPerSecond, long nowNanos) {
    double paid = bytesPerSecond * ((nowNanos - atNanos) / NANOS_PER_SECOND);
    return new Pace(Math.max(debtBytes - paid, -CREDIT_SECONDS * bytesPerSecond), nowNanos);
  }

  /** The same after more was written. */
  public Pace written(long bytes) {
    assert bytes >= 0 : bytes;
    return new Pace(debtBytes + bytes, atNanos);
  }

  /** How long nobody begins to write from then on, at this rate; 0 to begin. */
  public long waitNanos(long bytesPerSecond) {
    return debtBytes <= 0 ? 0 : (long) Math.ceil(debtBytes / bytesPerSecond * NANOS_PER_SECOND);
  }
}
