package dev.varve.common.maintenance;

/**
 * How much of something bounded is taken.
 *
 * @param used what is taken, in the unit that the owner states
 * @param limit where it is full; {@link Long#MAX_VALUE} for never
 */
public record Usage(long used, long limit) {
  /** Something without a bound. */
  public static final Usage UNBOUNDED = new Usage(0, Long.MAX_VALUE);

  /** Checks both. */
  public Usage {
    if (used < 0 || limit < 0) {
      throw new IllegalArgumentException("usage of " + used + " of " + limit);
    }
  }

  /** Whether nothing more may be taken. */
  public boolean full() {
    return used >= limit;
  }

  /** How much of the limit is taken, from 0 to 1. */
  public double fraction() {
    return full() ? 1 : (double) used / limit;
  }

  @Override
  public String toString() {
    return used + " of " + limit;
  }
}
