package dev.varve.scheduler.admission;

import dev.varve.scheduler.tuner.WriteController;
import java.util.Optional;

/**
 * What decides whether a write may begin: the worst index of those that it would change, and the
 * node.
 *
 * @param freeMemoryComponents memory components that can take a writer now, current one included,
 *     in the index that has the fewest
 * @param components disk components against the limit of their index, in the index that is nearest
 *     to it; see {@link ComponentLimit}
 * @param memoryBytes bytes in memory components against the budget
 * @param sharedBytes bytes in the memory components of all datasets against the memory that they
 *     share
 * @param logBytes bytes of log that recovery would read against their limit
 * @param failedFlush the failure of the last flush, as text, when none has succeeded since
 * @param controller RocksDB's write controller over all indexes, for a gate that obeys it; empty
 *     when it has nothing to say, since nothing merges
 */
public record WriteConditions(
    int freeMemoryComponents,
    Usage components,
    Usage memoryBytes,
    Usage sharedBytes,
    Usage logBytes,
    Optional<String> failedFlush,
    Optional<WriteController> controller) {
  /** Nothing is in the way of a write. */
  public static final WriteConditions CLEAR =
      new WriteConditions(
          1, Usage.UNBOUNDED, Usage.UNBOUNDED, Usage.UNBOUNDED, Usage.UNBOUNDED, Optional.empty());

  /** Conditions without a write controller. */
  public WriteConditions(
      int freeMemoryComponents,
      Usage components,
      Usage memoryBytes,
      Usage sharedBytes,
      Usage logBytes,
      Optional<String> failedFlush) {
    this(
        freeMemoryComponents,
        components,
        memoryBytes,
        sharedBytes,
        logBytes,
        failedFlush,
        Optional.empty());
  }

  /** The same where a write controller says this. */
  public WriteConditions controlledBy(WriteController other) {
    return new WriteConditions(
        freeMemoryComponents,
        components,
        memoryBytes,
        sharedBytes,
        logBytes,
        failedFlush,
        Optional.of(other));
  }

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

    /**
     * What a gate is told while there is room in memory: the limit is not reached before the next
     * flush has to fit below it. A gate that slows writes down sees how near it is.
     */
    public Usage belowLimit() {
      return new Usage(Math.min(used, Math.max(1, limit) - 1), limit);
    }

    @Override
    public String toString() {
      return used + " of " + limit;
    }
  }
}
