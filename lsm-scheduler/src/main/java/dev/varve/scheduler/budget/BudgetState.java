package dev.varve.scheduler.budget;

/**
 * A token bucket as a value: the moments until which the bytes written so far have used the device
 * up. A write is charged when it is done; the next one for its purpose begins when that moment is
 * reached.
 *
 * <p>Merges wait until everything is paid for, flushes only for flushes: a flush that arrives in
 * the middle of merges goes on at once, at the full rate, and the merges pause until its bytes are
 * paid as well. So the sum keeps to the rate, and no flush waits behind the bytes of a merge.
 *
 * <p>Reclaims wait as merges do, and let merges go first until it is their turn, which comes when
 * what they have written last is paid at a part of the rate: merges lose no more than that part,
 * and no reclaim waits for ever.
 *
 * @param flushesPaidNanos when the bytes of flushes alone are paid
 * @param allPaidNanos when all bytes are paid
 * @param reclaimTurnNanos when a reclaim goes before merges
 */
record BudgetState(long flushesPaidNanos, long allPaidNanos, long reclaimTurnNanos) {
  /** Nothing written yet. */
  static final BudgetState IDLE = new BudgetState(Long.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE);

  /** Time that flushes may catch up: as much as a timer is late by, so that it costs nothing. */
  static final long FLUSH_CREDIT_NANOS = 10_000_000;

  /**
   * Time that an idle device may catch up, by merges: what most forces of a merge's result take,
   * during which its only thread writes nothing, so that they cost no throughput. With the credit
   * of flushes and a batch it is within the tolerance of a second.
   */
  static final long CREDIT_NANOS = 30_000_000;

  /** One part of so many of the rate is the reclaims' while there are merges. */
  static final int RECLAIM_PART = 8;

  private static final double NANOS_PER_SECOND = 1e9;

  /** Charges bytes that were written just now. */
  BudgetState charge(IoPurpose purpose, long bytesPerSecond, long bytes, long nowNanos) {
    assert bytes >= 0 : bytes;
    long cost = (long) Math.ceil(bytes * NANOS_PER_SECOND / bytesPerSecond);
    long all = Math.max(allPaidNanos, nowNanos - CREDIT_NANOS) + cost;
    return switch (purpose) {
      case FLUSH ->
          new BudgetState(
              Math.max(flushesPaidNanos, nowNanos - FLUSH_CREDIT_NANOS) + cost,
              all,
              reclaimTurnNanos);
      case MERGE -> new BudgetState(flushesPaidNanos, all, reclaimTurnNanos);
      case RECLAIM ->
          new BudgetState(
              flushesPaidNanos, all, Math.max(reclaimTurnNanos, nowNanos) + cost * RECLAIM_PART);
    };
  }

  /** How long the next write has to wait from now on. */
  long waitNanos(IoPurpose purpose, long nowNanos) {
    long paid =
        switch (purpose) {
          case FLUSH -> flushesPaidNanos;
          case MERGE, RECLAIM -> allPaidNanos;
        };
    return paid <= nowNanos ? 0 : paid - nowNanos;
  }

  /** Whether a reclaim goes before merges now. */
  boolean isReclaimsTurn(long nowNanos) {
    return reclaimTurnNanos <= nowNanos;
  }
}
