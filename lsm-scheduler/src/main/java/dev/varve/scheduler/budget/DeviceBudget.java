package dev.varve.scheduler.budget;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** What the members of one device share. Thread-safe. */
final class DeviceBudget {
  private static final long BATCHES_PER_SECOND = 100;
  private static final long SMALLEST_BATCH_BYTES = 4096;
  private static final double NANOS_PER_SECOND = 1e9;

  private final ReentrantLock lock = new ReentrantLock();

  /** Members, and the rate that each asks for. */
  @GuardedBy("lock")
  private final Map<IoBudget, Long> rates = new LinkedHashMap<>();

  @GuardedBy("lock")
  private BudgetState state = BudgetState.IDLE;

  @GuardedBy("lock")
  private final FairQueue flushes = new FairQueue();

  @GuardedBy("lock")
  private final FairQueue merges = new FairQueue();

  @GuardedBy("lock")
  private final FairQueue reclaims = new FairQueue();

  void join(IoBudget member, long bytesPerSecond) {
    lock.lock();
    try {
      rates.put(member, bytesPerSecond);
    } finally {
      lock.unlock();
    }
  }

  /** A member asks for another rate. One that has left stays away. */
  void setRate(IoBudget member, long bytesPerSecond) {
    lock.lock();
    try {
      rates.replace(member, bytesPerSecond);
    } finally {
      lock.unlock();
    }
  }

  /** A member goes; whether it was the last one. */
  boolean leave(IoBudget member) {
    lock.lock();
    try {
      rates.remove(member);
      flushes.leave(member);
      merges.leave(member);
      reclaims.leave(member);
      return rates.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  long bytesPerSecond() {
    lock.lock();
    try {
      return rate();
    } finally {
      lock.unlock();
    }
  }

  /** The lowest rate that a member asks for: nobody then writes beside it faster than that. */
  @GuardedBy("lock")
  private long rate() {
    return rates.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
  }

  /** Whether no member asks for a rate now: each may later. */
  @GuardedBy("lock")
  private boolean unlimited() {
    return rate() == Long.MAX_VALUE;
  }

  long batchBytes() {
    lock.lock();
    try {
      return batch();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private long batch() {
    return Math.max(SMALLEST_BATCH_BYTES, rate() / BATCHES_PER_SECOND);
  }

  /** How long it takes until every member has written a batch. */
  long roundNanos() {
    lock.lock();
    try {
      return unlimited() ? 0 : (long) (batch() * NANOS_PER_SECOND / rate() * rates.size());
    } finally {
      lock.unlock();
    }
  }

  /** How long a member's next batch has to wait; when it need not, the batch has begun. */
  long begin(IoBudget member, IoPurpose purpose, long nowNanos) {
    lock.lock();
    try {
      FairQueue mine = queue(purpose);
      if (unlimited()) {
        mine.begin(member);
        return 0;
      }
      long wait = withBatchesInFlight(nowNanos).waitNanos(purpose, nowNanos);
      if (wait == 0) {
        wait = Math.max(mine.yieldNanos(member, nowNanos), yieldNanos(purpose, nowNanos));
      }
      if (wait == 0) {
        mine.begin(member);
      } else {
        mine.waits(member, nowNanos + wait);
      }
      return wait;
    } finally {
      lock.unlock();
    }
  }

  /** How long merges and reclaims, of which the device is free for either, let the others go. */
  @GuardedBy("lock")
  private long yieldNanos(IoPurpose purpose, long nowNanos) {
    boolean reclaimFirst = state.isReclaimsTurn(nowNanos);
    return switch (purpose) {
      case FLUSH -> 0;
      case MERGE -> reclaimFirst ? reclaims.awaitedNanos(nowNanos) : 0;
      case RECLAIM -> reclaimFirst ? 0 : merges.awaitedNanos(nowNanos);
    };
  }

  /**
   * What will be charged when the batches that are being written have ended: without it, as many
   * members as there are would write at the same moment.
   */
  @GuardedBy("lock")
  private BudgetState withBatchesInFlight(long nowNanos) {
    BudgetState then = state;
    for (IoPurpose purpose : IoPurpose.values()) {
      long bytes = queue(purpose).inFlight() * batch();
      then = bytes == 0 ? then : then.charge(purpose, rate(), bytes, nowNanos);
    }
    return then;
  }

  void end(IoBudget member, IoPurpose purpose, long bytes, long nowNanos) {
    lock.lock();
    try {
      queue(purpose).end(member, bytes);
      if (bytes > 0 && !unlimited()) {
        state = state.charge(purpose, rate(), bytes, nowNanos);
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private FairQueue queue(IoPurpose purpose) {
    return switch (purpose) {
      case FLUSH -> flushes;
      case MERGE -> merges;
      case RECLAIM -> reclaims;
    };
  }
}
