package dev.varve.dataset.partition;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.env.Signal;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.MemoryUse;
import dev.varve.common.maintenance.GateDecision;
import dev.varve.common.maintenance.StallCause;
import dev.varve.common.maintenance.Usage;
import dev.varve.common.maintenance.WriteConditions;
import dev.varve.common.maintenance.WriteGate;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergePolicy;
import dev.varve.dataset.catalog.DatasetDescriptor;
import dev.varve.scheduler.gate.ComponentLimit;
import dev.varve.scheduler.gate.ComponentLimit.Merges;
import dev.varve.scheduler.gate.DatasetMemory;
import dev.varve.scheduler.gate.DatasetMemory.Decision;
import dev.varve.scheduler.gate.Pace;
import dev.varve.scheduler.gate.SharedMemory;
import dev.varve.scheduler.gate.StallRecorder;
import dev.varve.scheduler.gate.StoppingGate;
import dev.varve.scheduler.watch.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a dataset, and the gate before it. When a part of the memory is written, all
 * indexes of the dataset in all its partitions are sealed together and the rest is written while
 * they are flushed (see {@link DatasetMemory}). When all of it is taken, or the next flush is due
 * and would be one disk component too many, writers wait here, before they hold a lock or log
 * space; so they do when the log since the last seal is at its limit and cannot be sealed again
 * because a flush lags, and when the node's gate paces them. Where all datasets share one memory,
 * the {@link MemoryPool} says instead whether there is room and who is sealed. Thread-safe.
 */
public final class MemoryGate {
  /** How often a waiting writer has a failed flush tried again. */
  private static final long RETRY_NANOS = 250_000_000;

  private static final long MOST_BYTES_BETWEEN_LOOKS = 64 << 10;

  /** The part of its turn that the next dataset is ahead of the one before: the golden section. */
  private static final double STAGGER = 0.6180339887498949;

  private final PartitionServices services;
  private final MemoryPool pool;
  private final String dataset;
  private final int datasetId;
  private final long budgetBytes;

  /** How much is written before a seal. */
  private final long sealAtBytes;

  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicReference<Pace> pace;
  private final AtomicInteger waiting = new AtomicInteger();

  /** Since when somebody has been waiting without a break. */
  private volatile long waitingSinceNanos;

  private volatile MergePolicy mergePolicy;
  private volatile List<PartitionIndexes> partitions = List.of();

  /** End of the log when all indexes were sealed last. */
  private volatile long sealedAtLsn;

  /** How much is written before the next seal: less before the first. */
  private volatile long nextSealAtBytes;

  /** Disk components of the index that is nearest to its limit. */
  private record Nearest(Usage components, String index) {}

  /** What somebody who wants to write found. */
  private record Look(long bytes, Decision decision) {
    boolean room() {
      return decision == Decision.ROOM;
    }
  }

  /**
   * The gate of a dataset that is not active.
   *
   * @param descriptor its name, memory and merge policy
   */
  public MemoryGate(PartitionServices services, DatasetDescriptor descriptor) {
    this.services = services;
    this.dataset = descriptor.options().name();
    this.datasetId = descriptor.datasetId();
    this.pool = services.pool();
    this.budgetBytes = pool.budget(descriptor.options().memoryBytes());
    this.sealAtBytes =
        (long) (budgetBytes * services.settings().options().memory().sealAtFraction());
    this.nextSealAtBytes = sealAtBytes;
    this.mergePolicy = descriptor.options().mergePolicy().policy();
    this.pace = new AtomicReference<>(Pace.begin(services.clock().nanoTime()));
  }

  /**
   * The dataset becomes active with these indexes, or inactive with none.
   *
   * <p>Datasets that are written at the same rate would be full at the same time, over and over,
   * and the last of them would wait for the flushes of all others. So each has its first seal
   * earlier by another part of its mutex; the first dataset of an engine by none.
   */
  public void setPartitions(List<PartitionIndexes> opened) {
    lock.lock();
    try {
      partitions = List.copyOf(opened);
    } finally {
      lock.unlock();
    }
    sealedAtLsn = services.log().endLsn();
    double ahead = (datasetId - 1) * STAGGER;
    nextSealAtBytes = sealAtBytes - (long) (sealAtBytes * (ahead - Math.floor(ahead)) / 2);
    if (opened.isEmpty()) {
      pool.leave(this);
    } else {
      pool.join(this);
    }
  }

  /** Number of the dataset. */
  int datasetId() {
    return datasetId;
  }

  /** From now on the component limit of this policy holds. */
  public void setMergePolicy(MergePolicy policy) {
    mergePolicy = policy;
  }

  /** A partition's indexes are about to be closed, to be opened anew. */
  void remove(PartitionIndexes old) {
    change(all -> all.remove(old));
  }

  /** A partition's indexes were opened anew, and hold nothing. */
  void add(PartitionIndexes opened) {
    change(all -> all.add(opened));
  }

  /** While the lock is held nothing is sealed. */
  private void change(Consumer<List<PartitionIndexes>> change) {
    lock.lock();
    try {
      List<PartitionIndexes> all = new ArrayList<>(partitions);
      change.accept(all);
      partitions = List.copyOf(all);
    } finally {
      lock.unlock();
    }
  }

  /** The memory that it may take: its own, or all of what datasets share. */
  public long budgetBytes() {
    return budgetBytes;
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

  /** What operations take of the memory. */
  public MemoryUse use() {
    MemoryUse use = MemoryUse.NONE;
    List<PartitionIndexes> all = partitions;
    for (int i = 0; i < all.size(); i++) {
      List<LsmIndex<?>> indexes = all.get(i).all();
      for (int j = 0; j < indexes.size(); j++) {
        use = use.plus(indexes.get(j).memoryUse());
      }
    }
    return use;
  }

  /** Bytes that operations take of the budget: of the dataset, or of all that share one memory. */
  long memoryInUse() {
    return pool.shared() ? pool.knownBytes() : use().bytes();
  }

  /** What the dataset has of the memory that all share. */
  SharedMemory.Member member() {
    MemoryUse use = use();
    boolean heldUp = false;
    long oldest = Long.MAX_VALUE;
    for (PartitionIndexes partition : partitions) {
      for (LsmIndex<?> index : partition.all()) {
        heldUp |= index.flushWaitsForWriter() || index.flushFailure() != null;
        oldest = Math.min(oldest, index.redoPosition());
      }
    }
    return new SharedMemory.Member(
        use.writableBytes(), use.sealedBytes(), use.flushPending(), heldUp, oldest);
  }

  /** Whether an index has as many disk components as it may have. */
  boolean atComponentLimit() {
    return nearest().components.full();
  }

  private Look look() {
    if (pool.shared()) {
      Decision decision = pool.decide(this);
      return new Look(pool.knownBytes(), decision);
    }
    MemoryUse use = use();
    DatasetMemory memory =
        new DatasetMemory(
            use.writableBytes(),
            use.sealedBytes(),
            use.flushPending(),
            nextSealAtBytes,
            budgetBytes);
    return new Look(memory.bytes(), memory.decide(this::atComponentLimit));
  }

  /** How many bytes a session may write between two questions whether a write may begin. */
  long lookEveryBytes() {
    return pool.shared()
        ? pool.lookEveryBytes()
        : Math.min(MOST_BYTES_BETWEEN_LOOKS, budgetBytes / 32);
  }

  /**
   * Whether a write may begin; seals all indexes when that makes room.
   *
   * @param bytes what the caller has written since it asked last
   */
  boolean admits(long bytes) {
    return obstacle(bytes) == null;
  }

  /**
   * The same for a transaction that is under way: it holds locks, so it is never paced, but what it
   * writes counts for those who begin later.
   */
  boolean hasRoomFor(long bytes) {
    GateObstacle obstacle = obstacle(bytes);
    return obstacle == null || obstacle.cause() == StallCause.PACE;
  }

  /** A writer has ended what it wrote. */
  void written() {
    if (pool.shared()) {
      pool.written(this);
    }
  }

  /** The writer that waits here, and for what; null when none waits. */
  public @Nullable Waiting waits() {
    int writers = waiting.get();
    GateObstacle obstacle = writers == 0 ? null : obstacle(0);
    if (obstacle == null) {
      return null;
    }
    List<String> indexes = new ArrayList<>();
    List<String> occupied = new ArrayList<>();
    for (PartitionIndexes partition : partitions) {
      partition.all().forEach(index -> indexes.add(index.describe()));
    }
    List<MemoryGate> holders =
        obstacle.cause() == StallCause.MEMORY_BUDGET ? pool.gates() : List.of(this);
    holders.forEach(gate -> gate.addOccupied(occupied));
    return new Waiting(
        dataset,
        obstacle.cause(),
        obstacle.holder(),
        obstacle.index(),
        indexes,
        occupied,
        writers,
        services.clock().nanoTime() - waitingSinceNanos);
  }

  /** Adds the indexes whose flush waits for a writer. */
  private void addOccupied(List<String> occupied) {
    for (PartitionIndexes partition : partitions) {
      for (LsmIndex<?> index : partition.all()) {
        if (index.flushWaitsForWriter()) {
          occupied.add(index.describe());
        }
      }
    }
  }

  /**
   * Disk components of an index.
   *
   * @param index which
   * @param components how many count against the limit
   * @param limit at how many writers wait; 0 for no limit
   */
  public record IndexLimit(String index, int components, int limit) {}

  /** Disk components of every index against its limit. */
  public List<IndexLimit> limits() {
    List<IndexLimit> limits = new ArrayList<>();
    for (PartitionIndexes partition : partitions) {
      for (LsmIndex<?> index : partition.all()) {
        IndexShape shape = index.shape();
        int limit = mergePolicy.componentLimit(shape);
        limits.add(
            new IndexLimit(
                index.describe(),
                mergePolicy.limitedComponents(shape),
                limit == MergePolicy.UNLIMITED ? 0 : limit));
      }
    }
    return limits;
  }

  private @Nullable GateObstacle obstacle(long bytes) {
    WriteGate gate = services.writeGate().get();
    boolean logLags = logLags();
    Look look = lookOrSeal();
    if (look.room() && !logLags && gate instanceof StoppingGate) {
      // It has nothing to say while there is room; the others look at how near the limits are.
      return null;
    }
    Nearest nearest = nearest();
    GateDecision decision = gate.decide(conditions(look, nearest.components, logLags));
    if (decision instanceof GateDecision.Paced paced && look.room()) {
      return paced(paced, bytes);
    }
    if (decision instanceof GateDecision.Closed closed) {
      boolean ofIndex = closed.cause() == StallCause.COMPONENT_LIMIT;
      return new GateObstacle(
          closed.cause(),
          closed.holder(),
          ofIndex ? nearest.index : "",
          look.room() && !logLags ? GateObstacle.GATE_LOOK_NANOS : RETRY_NANOS);
    }
    pace.set(Pace.begin(services.clock().nanoTime()));
    if (look.room()) {
      return null;
    }
    // Merges have ended in between: the next look will see it.
    StallCause cause =
        look.decision == Decision.WAIT_FOR_MERGES
            ? StallCause.COMPONENT_LIMIT
            : pool.shared() ? StallCause.MEMORY_BUDGET : StallCause.MEMORY_FULL;
    return new GateObstacle(cause, "the memory of '" + dataset + "'", "", RETRY_NANOS);
  }

  private @Nullable GateObstacle paced(GateDecision.Paced paced, long bytes) {
    long rate = paced.bytesPerSecond();
    long now = services.clock().nanoTime();
    Pace after = pace.updateAndGet(before -> before.at(rate, now).written(bytes));
    long wait = after.waitNanos(rate);
    return wait == 0
        ? null
        : new GateObstacle(
            StallCause.PACE,
            rate + " bytes per second: " + paced.holder(),
            "",
            Math.min(wait, RETRY_NANOS));
  }

  /**
   * Whether the log since the last seal is longer than it may be, and a flush that lags keeps the
   * indexes from being sealed again; seals them otherwise. Records that replace each other fill the
   * log and no memory.
   */
  private boolean logLags() {
    long retention = services.settings().logRetentionBytes();
    if (services.log().endLsn() - sealedAtLsn <= retention) {
      return false;
    }
    seal();
    return services.log().endLsn() - sealedAtLsn > retention;
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
    nextSealAtBytes = sealAtBytes;
    partitions.forEach(PartitionIndexes::seal);
  }

  /** Looks, and seals all indexes when that is what comes next. */
  private Look lookOrSeal() {
    Look look = look();
    if (look.decision != Decision.SEAL) {
      return look;
    }
    if (pool.shared()) {
      pool.relieve();
    } else {
      sealIfDue();
    }
    look = look();
    // Nothing to seal after all: then there is nothing to wait for either.
    return look.decision == Decision.SEAL ? new Look(look.bytes, Decision.ROOM) : look;
  }

  private void sealIfDue() {
    lock.lock();
    try {
      if (look().decision == Decision.SEAL) {
        sealNow();
      }
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

  private Nearest nearest() {
    Nearest nearest = new Nearest(Usage.UNBOUNDED, "");
    for (PartitionIndexes partition : partitions) {
      for (LsmIndex<?> index : partition.all()) {
        IndexShape shape = index.shape();
        Merges merges = index.mergesGoOn() ? Merges.GO_ON : Merges.REST;
        Usage usage = ComponentLimit.usage(mergePolicy, shape, merges);
        if (usage.fraction() > nearest.components.fraction()) {
          nearest = new Nearest(usage, index.describe());
        }
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
    GateObstacle now = obstacle(0);
    if (now == null) {
      return;
    }
    long deadline = deadline(services.settings().stallTimeoutNanos());
    if (waiting.getAndIncrement() == 0) {
      waitingSinceNanos = services.clock().nanoTime();
    }
    try (StallRecorder.Wait wait = services.stalls().begin(now.cause(), now.holder())) {
      while (now != null) {
        services.health().requireWritable();
        wait.becomes(now.cause(), now.holder());
        awaitChange(now, deadline);
        GateObstacle next = obstacle(0);
        // A failed flush stays the cause while it is tried again, until one makes room.
        now = next != null && now.cause() == StallCause.DISK_SPACE ? now : next;
      }
    } finally {
      waiting.decrementAndGet();
    }
  }

  private void awaitChange(GateObstacle obstacle, long deadline) throws StorageException {
    WriteGate gate = services.writeGate().get();
    BooleanSupplier changed =
        obstacle.ofGate()
            ? () -> services.writeGate().get() != gate
            : untilChanged(obstacle.cause());
    long left = deadline - services.clock().nanoTime();
    Signal.Outcome outcome =
        left <= 0
            ? Signal.Outcome.TIMED_OUT
            : services
                .progress()
                .await(
                    () -> changed.getAsBoolean() || services.health().closed(),
                    Math.min(left, obstacle.lookNanos()));
    if (outcome == Signal.Outcome.INTERRUPTED || left <= 0) {
      throw ConflictException.afterWait(
          ConflictException.Reason.STALLED,
          "a write to '" + dataset + "' waited too long at the gate: " + obstacle.holder());
    }
    if (outcome == Signal.Outcome.TIMED_OUT) {
      pool.doubt();
      for (MemoryGate each : pool.shared() ? pool.gates() : List.of(this)) {
        each.partitions.forEach(PartitionIndexes::retryFailedFlushes);
      }
    }
  }

  private BooleanSupplier untilChanged(StallCause cause) {
    return switch (cause) {
      case LOG_SPACE -> this::canSealAll;
      // Whoever waited for a flush may wait for merges from here on, or the other way round.
      case MEMORY_FULL, MEMORY_BUDGET -> () -> look().decision != Decision.WAIT_FOR_FLUSH;
      case COMPONENT_LIMIT -> () -> look().decision != Decision.WAIT_FOR_MERGES;
      default -> () -> look().room() || look().decision == Decision.SEAL;
    };
  }

  private long deadline(long timeoutNanos) {
    long now = services.clock().nanoTime();
    return timeoutNanos > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + timeoutNanos;
  }

  /**
   * What a gate decides by. While there is room in memory nothing is full: what is written already
   * is no component yet, and what has failed is not needed yet.
   */
  private WriteConditions conditions(Look look, Usage components, boolean logLags) {
    long retention = services.settings().logRetentionBytes();
    Usage log = new Usage(services.log().endLsn() - sealedAtLsn, retention);
    Usage taken = new Usage(look.bytes, budgetBytes);
    Usage memory = look.decision == Decision.WAIT_FOR_FLUSH ? taken : below(taken);
    return new WriteConditions(
        1,
        look.decision == Decision.WAIT_FOR_MERGES ? components : below(components),
        pool.shared() ? Usage.UNBOUNDED : memory,
        pool.shared() ? memory : Usage.UNBOUNDED,
        logLags ? log : below(log),
        look.room() ? Optional.empty() : failureInTheWay());
  }

  /** A flush that failed, of this dataset or of those that it shares its memory with. */
  private Optional<String> failureInTheWay() {
    if (!pool.shared()) {
      return flushFailure();
    }
    return pool.gates().stream().flatMap(gate -> gate.flushFailure().stream()).findFirst();
  }

  private static Usage below(Usage usage) {
    return new Usage(Math.min(usage.used(), Math.max(1, usage.limit()) - 1), usage.limit());
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
