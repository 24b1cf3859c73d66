package dev.varve.hyracks.feed;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What one feed has done to one partition so far. Counts what is acknowledged: a record counts as
 * stored once it is durable to the engine's level. Thread-safe: one operator writes, anyone reads.
 */
public final class PartitionCounters {
  /** Most messages that are kept for one reason of refusal; the count is exact all the same. */
  public static final int MAX_SAMPLES = 8;

  /** {@link #highestKey} while no record with a whole number as its key is stored. */
  public static final long NO_KEY = Long.MIN_VALUE;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Map<RefusalReason, RefusalReport> refusals = new EnumMap<>(RefusalReason.class);

  @GuardedBy("lock")
  private long stored;

  @GuardedBy("lock")
  private long refused;

  @GuardedBy("lock")
  private long highestKey = NO_KEY;

  private final AtomicReference<Overflow> overflow = new AtomicReference<>(Overflow.NONE);

  /** Counts a frame's records, all durable now. */
  public void acknowledge(long records, long highest) {
    lock.lock();
    try {
      stored += records;
      highestKey = Math.max(highestKey, highest);
    } finally {
      lock.unlock();
    }
  }

  /** Counts a record that was left out, and keeps the first messages of each reason. */
  public void refuse(RefusalReason reason, String message) {
    lock.lock();
    try {
      refused++;
      RefusalReport before = refusals.getOrDefault(reason, new RefusalReport(reason, 0, List.of()));
      List<String> samples = before.samples();
      if (samples.size() < MAX_SAMPLES) {
        samples = new ArrayList<>(samples);
        samples.add(message);
      }
      refusals.put(reason, new RefusalReport(reason, before.count() + 1, samples));
    } finally {
      lock.unlock();
    }
  }

  /** Counts records for which there was no room. */
  public void overflow(Overflow more) {
    Overflow now = overflow.accumulateAndGet(more, Overflow::plus);
    assert now.spilled() >= more.spilled() : now;
  }

  /** The counts at this moment. */
  public PartitionProgress progress(int partition) {
    lock.lock();
    try {
      return new PartitionProgress(
          partition,
          stored,
          refused,
          highestKey,
          List.copyOf(refusals.values()),
          Objects.requireNonNull(overflow.get()));
    } finally {
      lock.unlock();
    }
  }
}
