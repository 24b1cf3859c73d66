package dev.varve.scheduler.budget;

import dev.varve.common.maintenance.MaintenanceTask.Kind;

/**
 * A token bucket as a value: the moments until which the bytes written so far have used the device
 * up. A write is charged when it is done; the next one of its kind begins when that moment is
 * reached.
 *
 * <p>Merges wait until everything is paid for, flushes only for flushes: a flush that arrives in
 * the middle of merges goes on at once, at the full rate, and the merges pause until its bytes are
 * paid as well. So the sum keeps to the rate, and no flush waits behind the bytes of a merge.
 *
 * @param flushesPaidNanos when the bytes of flushes alone are paid
 * @param allPaidNanos when all bytes are paid
 */
record BudgetState(long flushesPaidNanos, long allPaidNanos) {
  /** Nothing written yet. */
  static final BudgetState IDLE = new BudgetState(Long.MIN_VALUE, Long.MIN_VALUE);

  /**
   * Time that an idle device may catch up: as much as a timer is late by, so that late wake-ups
   * cost no throughput, and little enough that a burst after a pause is within the tolerance.
   */
  static final long CREDIT_NANOS = 10_000_000;

  private static final double NANOS_PER_SECOND = 1e9;

  /** Charges bytes that were written just now. */
  BudgetState charge(Kind kind, long bytesPerSecond, long bytes, long nowNanos) {
    assert bytes >= 0 : bytes;
    long cost = (long) Math.ceil(bytes * NANOS_PER_SECOND / bytesPerSecond);
    long all = paidAfter(allPaidNanos, cost, nowNanos);
    return switch (kind) {
      case FLUSH -> new BudgetState(paidAfter(flushesPaidNanos, cost, nowNanos), all);
      case MERGE -> new BudgetState(flushesPaidNanos, all);
    };
  }

  /** How long the next write of a kind has to wait from now on. */
  long waitNanos(Kind kind, long nowNanos) {
    long paid =
        switch (kind) {
          case FLUSH -> flushesPaidNanos;
          case MERGE -> allPaidNanos;
        };
    return paid <= nowNanos ? 0 : paid - nowNanos;
  }

  private static long paidAfter(long paidNanos, long costNanos, long nowNanos) {
    return Math.max(paidNanos, nowNanos - CREDIT_NANOS) + costNanos;
  }
}
