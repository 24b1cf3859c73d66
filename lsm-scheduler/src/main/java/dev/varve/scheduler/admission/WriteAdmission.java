package dev.varve.scheduler.admission;

import dev.varve.common.env.Signal;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.LsmIndex;
import dev.varve.scheduler.admission.DatasetMemory.Decision;
import dev.varve.scheduler.admission.WriteConditions.Usage;
import dev.varve.scheduler.tuner.WriteLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a writer asks whether it may write to a dataset now, and where it waits when it may not.
 *
 * <p>When a part of the dataset's memory is written, all of its indexes are sealed together and the
 * rest is written while they are flushed ({@link DatasetMemory}, {@link WriteBuffer}). When all of
 * it is taken, or the next flush is due and would be one disk component too many, writers wait
 * here, before they hold a lock or log space; so they do when the log since the last seal is at its
 * limit and cannot be sealed again because a flush lags, and when the node's {@link WriteGate}
 * paces them. Where all datasets share one memory, the {@link MemoryPool} says instead whether
 * there is room and which dataset is sealed. Thread-safe.
 */
public final class WriteAdmission {
  /** How often a waiting writer has a failed flush tried again. */
  private static final long RETRY_NANOS = 250_000_000;

  /** A gate that keeps writers out while there is room is asked so often: nothing else tells. */
  private static final long GATE_LOOK_NANOS = 10_000_000;

  private static final long MOST_BYTES_BETWEEN_LOOKS = 64 << 10;

  private final NodeAdmission admission;
  private final NodeAdmission.Node node;
  private final MemoryPool pool;
  private final WriteBuffer buffer;
  private final AtomicReference<Pace> pace;

  /** What the write controller says, for a gate that obeys it. */
  private final AtomicReference<MergeControl> control =
      new AtomicReference<>(MergeControl.of(WriteLimits.ROCKSDB));

  private final AtomicInteger waiting = new AtomicInteger();

  /** Since when at least one writer has been waiting without a break. */
  private volatile long waitingSinceNanos;

  /** What a writer found in the memory. */
  private record Look(long bytes, Decision decision) {
    boolean room() {
      return decision == Decision.ROOM;
    }
  }

  /**
   * What keeps writers from beginning.
   *
   * @param cause its kind
   * @param holder what is in the way, with its numbers, for people
   * @param index the index that it is about, as {@code LsmIndex.describe} says it; empty when it is
   *     about all indexes of the dataset
   * @param lookNanos after which time a writer looks again, unless it is woken before
   */
  private record Obstacle(StallCause cause, String holder, String index, long lookNanos) {
    /** Whether the gate keeps writers out for a reason of its own. */
    boolean ofGate() {
      return lookNanos == GATE_LOOK_NANOS || cause.paces();
    }
  }

  /** The admission to a dataset that has no open indexes. */
  public WriteAdmission(NodeAdmission admission, WriteBuffer.Dataset dataset) {
    this.admission = admission;
    this.node = admission.node();
    this.pool = admission.pool();
    long budgetBytes = pool.budget(dataset.memoryBytes());
    this.buffer =
        new WriteBuffer(
            dataset,
            budgetBytes,
            (long) (budgetBytes * admission.limits().sealAtFraction()),
            node.logEnd());
    this.pace = new AtomicReference<>(Pace.begin(node.clock().nanoTime()));
  }

  /** The dataset becomes active with these indexes, or inactive with none. */
  public void setIndexes(List<LsmIndex<?>> opened) {
    buffer.setIndexes(opened);
    if (opened.isEmpty()) {
      pool.leave(buffer);
    } else {
      pool.join(buffer);
    }
  }

  /** The memory that writers fill. */
  public WriteBuffer buffer() {
    return buffer;
  }

  // ---- Called by writers

  /** How many bytes a session may write between two questions whether a write may begin. */
  public long lookEveryBytes() {
    return pool.shared()
        ? pool.lookEveryBytes()
        : Math.min(MOST_BYTES_BETWEEN_LOOKS, buffer.budgetBytes() / 32);
  }

  /**
   * Whether a write may begin; seals all indexes when that makes room.
   *
   * @param bytes what the caller has written since it asked last
   */
  public boolean admits(long bytes) {
    return obstacle(bytes) == null;
  }

  /**
   * The same for a transaction that is under way: it holds locks, so no gate keeps it out while
   * there is room, but what it writes counts for those who begin later.
   *
   * @param bytes what the caller has written since it asked last
   */
  public boolean hasRoomFor(long bytes) {
    Obstacle obstacle = obstacle(bytes);
    return obstacle == null || obstacle.ofGate();
  }

  /**
   * Waits until a write may begin. The caller holds nothing: no lock, no memory component.
   *
   * @throws ConflictException with {@code STALLED} when that takes too long
   * @throws StorageException the reason when the node takes no writes any more
   */
  public void await() throws StorageException {
    Obstacle now = obstacle(0);
    if (now == null) {
      return;
    }
    long deadline = deadline(admission.limits().stallTimeoutNanos());
    if (waiting.getAndIncrement() == 0) {
      waitingSinceNanos = node.clock().nanoTime();
    }
    try (StallRecorder.Wait wait = admission.stalls().begin(now.cause(), now.holder())) {
      while (now != null) {
        node.health().requireWritable();
        wait.becomes(now.cause(), now.holder());
        awaitChange(now, deadline);
        Obstacle next = obstacle(0);
        // A failed flush stays the cause while it is tried again, until one makes room.
        now = next != null && now.cause() == StallCause.DISK_SPACE ? now : next;
      }
    } finally {
      waiting.decrementAndGet();
    }
  }

  /** A writer has ended what it wrote. */
  public void written() {
    if (pool.shared()) {
      pool.written(buffer);
    }
  }

  /** Bytes that operations take of the budget: of the dataset, or of all that share one memory. */
  public long memoryInUse() {
    return pool.shared() ? pool.knownBytes() : buffer.use().bytes();
  }

  // ---- Called by the watchdog

  /** The writers that wait here, and for what; null when none waits. */
  public @Nullable Waiting waits() {
    int writers = waiting.get();
    Obstacle obstacle = writers == 0 ? null : obstacle(0);
    if (obstacle == null) {
      return null;
    }
    List<String> occupied = new ArrayList<>();
    List<WriteBuffer> holders =
        obstacle.cause() == StallCause.MEMORY_BUDGET ? pool.buffers() : List.of(buffer);
    holders.forEach(holder -> occupied.addAll(holder.occupied()));
    return new Waiting(
        buffer.dataset().name(),
        obstacle.cause(),
        obstacle.holder(),
        obstacle.index(),
        buffer.describe(),
        occupied,
        writers,
        node.clock().nanoTime() - waitingSinceNanos);
  }

  // ---- The decision

  private @Nullable Obstacle obstacle(long bytes) {
    WriteGate gate = admission.gate();
    boolean logLags = logLags();
    Look look = lookOrSeal();
    if (look.room() && !logLags && gate instanceof WriteGates.Stopping) {
      // It has nothing to say while there is room; the others look at how near the limits are.
      return null;
    }
    WriteBuffer.Nearest nearest = buffer.nearest();
    WriteConditions conditions = conditions(look, nearest.components(), logLags);
    String index = nearest.index();
    if (gate instanceof WriteGates.Controlled controlled) {
      WriteLimits limits = controlled.limits();
      MergeControl says = control.updateAndGet(before -> before.next(limits, buffer.asked()));
      if (buffer.mergesGoOn()) {
        conditions = conditions.controlledBy(says.controller());
        index = look.room() ? says.index() : index;
      }
    }
    WriteGate.Decision decision = gate.decide(conditions);
    if (decision instanceof WriteGate.Decision.Paced paced && look.room()) {
      return paced(paced, bytes);
    }
    if (decision instanceof WriteGate.Decision.Closed closed) {
      boolean ofIndex =
          closed.cause() == StallCause.COMPONENT_LIMIT
              || closed.cause() == StallCause.PENDING_BYTES;
      return new Obstacle(
          closed.cause(),
          closed.holder(),
          ofIndex ? index : "",
          look.room() && !logLags ? GATE_LOOK_NANOS : RETRY_NANOS);
    }
    pace.set(Pace.begin(node.clock().nanoTime()));
    if (look.room()) {
      return null;
    }
    // Merges have ended in between: the next look will see it.
    StallCause cause =
        look.decision == Decision.WAIT_FOR_MERGES
            ? StallCause.COMPONENT_LIMIT
            : pool.shared() ? StallCause.MEMORY_BUDGET : StallCause.MEMORY_FULL;
    return new Obstacle(cause, "the memory of '" + buffer.dataset().name() + "'", "", RETRY_NANOS);
  }

  private @Nullable Obstacle paced(WriteGate.Decision.Paced paced, long bytes) {
    long rate = paced.bytesPerSecond();
    long now = node.clock().nanoTime();
    Pace after = pace.updateAndGet(before -> before.at(rate, now).written(bytes));
    long wait = after.waitNanos(rate);
    return wait == 0
        ? null
        : new Obstacle(
            paced.cause(),
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
    long retention = admission.limits().logRetentionBytes();
    if (buffer.logBytes() <= retention) {
      return false;
    }
    buffer.seal();
    return buffer.logBytes() > retention;
  }

  private Look look() {
    if (pool.shared()) {
      Decision decision = pool.decide(buffer);
      return new Look(pool.knownBytes(), decision);
    }
    DatasetMemory memory = buffer.memory();
    return new Look(memory.bytes(), memory.decide(buffer::atComponentLimit));
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
      buffer.sealIfDue();
    }
    look = look();
    // Nothing to seal after all: then there is nothing to wait for either.
    return look.decision == Decision.SEAL ? new Look(look.bytes, Decision.ROOM) : look;
  }

  /**
   * What a gate decides by. While there is room in memory nothing is full: what is written already
   * is no component yet, and what has failed is not needed yet.
   */
  private WriteConditions conditions(Look look, Usage components, boolean logLags) {
    Usage log = new Usage(buffer.logBytes(), admission.limits().logRetentionBytes());
    Usage taken = new Usage(look.bytes, buffer.budgetBytes());
    Usage memory = look.decision == Decision.WAIT_FOR_FLUSH ? taken : taken.belowLimit();
    return new WriteConditions(
        1,
        look.decision == Decision.WAIT_FOR_MERGES ? components : components.belowLimit(),
        pool.shared() ? Usage.UNBOUNDED : memory,
        pool.shared() ? memory : Usage.UNBOUNDED,
        logLags ? log : log.belowLimit(),
        look.room() ? Optional.empty() : failureInTheWay());
  }

  /** A flush that failed, of this dataset or of those that it shares its memory with. */
  private Optional<String> failureInTheWay() {
    if (!pool.shared()) {
      return buffer.flushFailure();
    }
    return pool.buffers().stream().flatMap(each -> each.flushFailure().stream()).findFirst();
  }

  // ---- The wait

  private void awaitChange(Obstacle obstacle, long deadline) throws StorageException {
    WriteGate gate = admission.gate();
    BooleanSupplier changed =
        obstacle.ofGate() ? () -> admission.gate() != gate : untilChanged(obstacle.cause());
    long left = deadline - node.clock().nanoTime();
    Signal.Outcome outcome =
        left <= 0
            ? Signal.Outcome.TIMED_OUT
            : node.progress()
                .await(
                    () -> changed.getAsBoolean() || admission.closed(),
                    Math.min(left, obstacle.lookNanos()));
    if (outcome == Signal.Outcome.INTERRUPTED || left <= 0) {
      throw ConflictException.afterWait(
          ConflictException.Reason.STALLED,
          "a write to '"
              + buffer.dataset().name()
              + "' waited too long at the gate: "
              + obstacle.holder());
    }
    if (outcome == Signal.Outcome.TIMED_OUT) {
      pool.doubt();
      (pool.shared() ? pool.buffers() : List.of(buffer)).forEach(WriteBuffer::retryFailedFlushes);
    }
  }

  private BooleanSupplier untilChanged(StallCause cause) {
    return switch (cause) {
      case LOG_SPACE -> buffer::canSeal;
      // A writer that waited for a flush may wait for merges from here on, or the other way round.
      case MEMORY_FULL, MEMORY_BUDGET -> () -> look().decision != Decision.WAIT_FOR_FLUSH;
      case COMPONENT_LIMIT -> () -> look().decision != Decision.WAIT_FOR_MERGES;
      default -> () -> look().room() || look().decision == Decision.SEAL;
    };
  }

  private long deadline(long timeoutNanos) {
    long now = node.clock().nanoTime();
    return timeoutNanos > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + timeoutNanos;
  }
}
