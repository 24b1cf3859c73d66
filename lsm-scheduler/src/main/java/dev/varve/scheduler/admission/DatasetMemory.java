package dev.varve.scheduler.admission;

import java.util.function.BooleanSupplier;

/**
 * The memory of a dataset, and whether it takes writes. When a part of it is written, all indexes
 * are sealed together, and what is left is written while they are flushed: so the larger the part,
 * the fewer and larger the flushes, and the less time each has before writers wait for it. With
 * half of the memory these are the two memory components of Storage Management in AsterixDB
 * (section 5.2). Pure.
 *
 * @param writableBytes what is written since the last seal
 * @param sealedBytes what flushes have still to free: all of a component until its flush has ended
 * @param flushPending whether a component is sealed whose flush has not ended
 * @param sealAtBytes how much is written before the next seal, at most the budget
 * @param budgetBytes all of the memory
 */
public record DatasetMemory(
    long writableBytes,
    long sealedBytes,
    boolean flushPending,
    long sealAtBytes,
    long budgetBytes) {
  /** What follows for somebody who wants to write. */
  public enum Decision {
    /** Writes go on. */
    ROOM,
    /** The indexes are to be sealed; then it is asked again. */
    SEAL,
    /** All memory is taken: writers wait for a flush, and one is there. */
    WAIT_FOR_FLUSH,
    /** The next flush would be one disk component too many: writers wait for merges. */
    WAIT_FOR_MERGES
  }

  /** Checks that a seal comes before the end of the memory. */
  public DatasetMemory {
    if (sealAtBytes > budgetBytes) {
      throw new IllegalArgumentException(
          "a seal at " + sealAtBytes + " bytes of " + budgetBytes + " would never come");
    }
  }

  /** Bytes that are taken. */
  public long bytes() {
    return writableBytes + sealedBytes;
  }

  /**
   * Decides. A writer that waits always waits for something that is there: a flush is pending, or
   * an index is at its component limit, which holds only while it merges. While a flush is pending
   * the next is not due: what is written meanwhile is no component yet.
   *
   * @param atComponentLimit whether an index has as many disk components as it may have; asked only
   *     when a flush is due
   */
  public Decision decide(BooleanSupplier atComponentLimit) {
    if (flushPending) {
      return bytes() < budgetBytes ? Decision.ROOM : Decision.WAIT_FOR_FLUSH;
    }
    if (writableBytes < sealAtBytes) {
      return Decision.ROOM;
    }
    return atComponentLimit.getAsBoolean() ? Decision.WAIT_FOR_MERGES : Decision.SEAL;
  }
}
