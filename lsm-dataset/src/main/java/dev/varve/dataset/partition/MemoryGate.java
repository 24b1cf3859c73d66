package dev.varve.dataset.partition;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.env.Signal;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.maintenance.GateDecision;
import dev.varve.common.maintenance.StallCause;
import dev.varve.common.maintenance.Usage;
import dev.varve.common.maintenance.WriteConditions;
import dev.varve.common.merge.MergePolicy;
import dev.varve.dataset.catalog.DatasetOptions;
import dev.varve.scheduler.gate.ComponentLimit;
import dev.varve.scheduler.gate.StallRecorder;
import dev.varve.scheduler.gate.StoppingGate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a dataset, and the gate before it. When half of the memory is written, all indexes
 * of the dataset in all its partitions are sealed together and the other half is written while they
 * are flushed (Storage Management in AsterixDB, section 5.2). When both halves are full, or one is
 * and the next flush would be one disk component too many, writers wait here, before they hold a
 * lock or log space. Thread-safe.
 */
public final class MemoryGate {
  /** How often a waiting writer has a failed flush tried again. */
  private static final long RETRY_NANOS = 250_000_000;

  private static final long MOST_BYTES_BETWEEN_LOOKS = 64 << 10;

  private final PartitionServices services;
  private final String dataset;
  private final long halfBytes;
  private final MergePolicy mergePolicy;
  private final ReentrantLock lock = new ReentrantLock();

  private volatile List<PartitionIndexes> partitions = List.of();

  /** End of the log when all indexes were sealed last. */
  private volatile long sealedAtLsn;

  /** What the indexes hold when they hold nothing. */
  private volatile long emptyBytes;

  /**
   * The gate of a dataset that is not active.
   *
   * @param options its name, memory and merge policy
   */
  public MemoryGate(PartitionServices services, DatasetOptions options) {
    this.services = services;
    this.dataset = options.name();
    this.halfBytes = options.memoryBytes() / 2;
    this.mergePolicy = options.mergePolicy().policy();
  }

  /** The dataset becomes active with these indexes, or inactive with none. */
  public void setPartitions(List<PartitionIndexes> opened) {
    partitions = List.copyOf(opened);
    emptyBytes = writableBytes();
    sealedAtLsn = services.log().endLsn();
  }

  /** A partition's indexes were opened anew, and hold nothing. */
  void replace(@Nullable PartitionIndexes old, PartitionIndexes opened) {
    List<PartitionIndexes> all = new ArrayList<>(partitions);
    all.replaceAll(partition -> partition == old ? opened : partition);
    partitions = List.copyOf(all);
  }

  /** Bytes in all memory components, those that are being flushed included. */
  public long memoryBytes() {
    long bytes = 0;
    for (PartitionIndexes partition : partitions) {
      for (LsmIndex<?> index : partition.all()) {
        bytes += index.memoryBytes();
      }
    }
    return bytes;
  }

  private long writableBytes() {
    long bytes = 0;
    List<PartitionIndexes> all = partitions;
    for (int i = 0; i < all.size(); i++) {
      List<LsmIndex<?>> indexes = all.get(i).all();
      for (int j = 0; j < indexes.size(); j++) {
        bytes += indexes.get(j).writableMemoryBytes();
      }
    }
    return bytes;
  }

  /** How many bytes a session may write between two questions whether a write may begin. */
  long lookEveryBytes() {
    return Math.min(MOST_BYTES_BETWEEN_LOOKS, halfBytes / 16);
  }

  private boolean hasRoom() {
    return writableBytes() - emptyBytes < halfBytes;
  }

  /** Whether a write may begin; seals all indexes when that makes room. */
  boolean admits() {
    if (services.log().endLsn() - sealedAtLsn > services.settings().logRetentionBytes()) {
      // Records that replace each other fill the log and no memory.
      seal();
    }
    return hasRoom() || sealAll();
  }

  /** Seals all indexes if there is room for their next components, so that they are flushed. */
  public void seal() {
    lock.lock();
    try {
      if (canSealAll()) {
        sealNow();
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void sealNow() {
    sealedAtLsn = services.log().endLsn();
    partitions.forEach(PartitionIndexes::seal);
  }

  private boolean sealAll() {
    lock.lock();
    try {
      if (hasRoom()) {
        return true;
      }
      if (!mayFlushMore()) {
        return false;
      }
      sealNow();
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean canSealAll() {
    for (PartitionIndexes partition : partitions) {
      for (LsmIndex<?> index : partition.all()) {
        if (!index.canSeal()) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether the next memory components can be sealed, and no index is at its component limit. */
  private boolean mayFlushMore() {
    return canSealAll() && !components().full();
  }

  /** Disk components against their limit, in the index that is nearest to it. */
  private Usage components() {
    Usage nearest = Usage.UNBOUNDED;
    for (PartitionIndexes partition : partitions) {
      for (LsmIndex<?> index : partition.all()) {
        Usage usage = ComponentLimit.usage(mergePolicy, index.shape());
        nearest = usage.fraction() > nearest.fraction() ? usage : nearest;
      }
    }
    return nearest;
  }

  /**
   * Waits until a write may begin. The caller holds nothing: no lock, no memory component.
   *
   * @throws ConflictException with {@code STALLED} when that takes too long
   */
  void await() throws StorageException {
    if (admits()) {
      return;
    }
    long deadline = deadline(services.settings().stallTimeoutNanos());
    GateDecision.Closed now = closed();
    try (StallRecorder.Wait wait = services.stalls().begin(now.cause(), now.holder())) {
      while (!admits()) {
        services.health().requireWritable();
        long left = deadline - services.clock().nanoTime();
        now = stillClosed(now);
        wait.becomes(now.cause(), now.holder());
        Signal.Outcome outcome =
            left <= 0
                ? Signal.Outcome.TIMED_OUT
                : services
                    .progress()
                    .await(
                        () -> hasRoom() || mayFlushMore() || services.health().closed(),
                        Math.min(left, RETRY_NANOS));
        if (outcome == Signal.Outcome.INTERRUPTED || left <= 0) {
          throw new ConflictException(
              ConflictException.Reason.STALLED,
              "a write to '"
                  + dataset
                  + "' "
                  + (left <= 0 ? "waited too long" : "was interrupted")
                  + " at the gate: "
                  + now.holder());
        }
        if (outcome == Signal.Outcome.TIMED_OUT) {
          partitions.forEach(PartitionIndexes::retryFailedFlushes);
        }
      }
    }
  }

  /** A failed flush stays the cause while it is tried again, until one makes room. */
  private GateDecision.Closed stillClosed(GateDecision.Closed before) {
    return before.cause() == StallCause.DISK_SPACE ? before : closed();
  }

  private long deadline(long timeoutNanos) {
    long now = services.clock().nanoTime();
    return timeoutNanos > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + timeoutNanos;
  }

  /** Why the gate is closed. */
  private GateDecision.Closed closed() {
    WriteConditions conditions =
        new WriteConditions(
            canSealAll() ? 1 : 0,
            components(),
            new Usage(memoryBytes(), 2 * halfBytes),
            Usage.UNBOUNDED,
            flushFailure());
    GateDecision decision = new StoppingGate().decide(conditions);
    return decision instanceof GateDecision.Closed closed
        ? closed
        : new GateDecision.Closed(StallCause.MEMORY_FULL, "the memory of '" + dataset + "'");
  }

  private Optional<String> flushFailure() {
    for (PartitionIndexes partition : partitions) {
      for (LsmIndex<?> index : partition.all()) {
        @Nullable Throwable failure = index.flushFailure();
        if (failure != null) {
          return Optional.of(String.valueOf(failure.getMessage()));
        }
      }
    }
    return Optional.empty();
  }
}
