package dev.varve.scheduler.tuner;

import java.util.Optional;

/**
 * RocksDB's write controller: writers run free, are delayed to a rate, or are stopped, by the
 * components of level 0 and the bytes that wait for merges. The delayed rate falls as long as what
 * waits grows, rises while it shrinks, and is carried over from one delay to the next. It is asked
 * after every flush and every merge. Immutable; pure.
 *
 * @param limits where writers slow down and stop
 * @param state what it says now
 * @param cause why; empty while writers run free
 * @param bytesPerSecond the delayed rate, of the next delay while there is none
 * @param pendingBytes what waited when it was asked last
 */
public record WriteController(
    WriteLimits limits,
    State state,
    Optional<StallClass> cause,
    double bytesPerSecond,
    long pendingBytes) {
  private static final double LEAST_BYTES_PER_SECOND = 16 << 10;

  /** The rate goes down by this when what waits has grown. */
  private static final double SLOWER = 0.8;

  /** And by this close to the stop. */
  private static final double SLOWER_NEAR_STOP = 0.6;

  /** And up by this when a delay ends. */
  private static final double RECOVERED = 1.4;

  private static final int NEAR_STOP_COMPONENTS = 2;
  private static final double NEAR_STOP_PART = 0.75;

  /** What it says. */
  public enum State {
    /** Writers run as fast as they can. */
    FREE,
    /** Writers keep to the delayed rate. */
    DELAYED,
    /** Writers wait. */
    STOPPED
  }

  /** A controller that holds nobody back. */
  public static WriteController of(WriteLimits limits) {
    return new WriteController(
        limits, State.FREE, Optional.empty(), (double) limits.delayedBytesPerSecond(), 0);
  }

  /** What it says of this. */
  public WriteController next(int level0Components, long pending) {
    if (level0Components >= limits.level0Stop()) {
      return stopped(StallClass.LEVEL_ZERO, pending);
    }
    if (pending >= limits.pendingStopBytes()) {
      return stopped(StallClass.PENDING_BYTES, pending);
    }
    if (level0Components >= limits.level0Slow()) {
      boolean near = level0Components >= limits.level0Stop() - NEAR_STOP_COMPONENTS;
      return delayed(StallClass.LEVEL_ZERO, pending, near);
    }
    if (pending >= limits.pendingSlowBytes()) {
      double way =
          (double) (pending - limits.pendingSlowBytes())
              / (double) Math.max(1, limits.pendingStopBytes() - limits.pendingSlowBytes());
      return delayed(StallClass.PENDING_BYTES, pending, way >= NEAR_STOP_PART);
    }
    double rate =
        state == State.FREE ? bytesPerSecond : Math.min(most(), bytesPerSecond * RECOVERED);
    return new WriteController(limits, State.FREE, Optional.empty(), rate, pending);
  }

  private double most() {
    return (double) limits.delayedBytesPerSecond();
  }

  private WriteController stopped(StallClass by, long pending) {
    return new WriteController(limits, State.STOPPED, Optional.of(by), bytesPerSecond, pending);
  }

  private WriteController delayed(StallClass by, long pending, boolean nearStop) {
    double rate = bytesPerSecond;
    if (state != State.FREE) {
      if (nearStop || state == State.STOPPED) {
        rate *= SLOWER_NEAR_STOP;
      } else if (pendingBytes > 0 && pendingBytes <= pending) {
        rate *= SLOWER;
      } else if (pendingBytes > pending) {
        rate /= SLOWER;
      }
    }
    double least = Math.min(LEAST_BYTES_PER_SECOND, most());
    return new WriteController(
        limits, State.DELAYED, Optional.of(by), Math.max(least, Math.min(most(), rate)), pending);
  }

  /** Why, with the limits, for people. */
  public String holder() {
    if (cause.isEmpty()) {
      return "nothing";
    }
    return switch (cause.get()) {
      case MEMORY -> "flushes are behind";
      case LEVEL_ZERO ->
          "merges of level 0 are behind: writers slow down at %d components and stop at %d"
              .formatted(limits.level0Slow(), limits.level0Stop());
      case PENDING_BYTES ->
          "merges are behind: %d bytes wait, and writers slow down at %d and stop at %d"
              .formatted(pendingBytes, limits.pendingSlowBytes(), limits.pendingStopBytes());
    };
  }

  /** The same with other limits; what it says stays until it is asked again. */
  public WriteController withLimits(WriteLimits others) {
    return new WriteController(
        others,
        state,
        cause,
        Math.min(bytesPerSecond, (double) others.delayedBytesPerSecond()),
        pendingBytes);
  }
}
