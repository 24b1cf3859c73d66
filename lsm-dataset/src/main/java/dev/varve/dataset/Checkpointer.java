package dev.varve.dataset;

import dev.varve.common.env.Signal;
import dev.varve.common.env.Worker;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.NodeContext;
import dev.varve.dataset.internal.partition.NodeHealth;
import dev.varve.transaction.TransactionTable;
import dev.varve.transaction.checkpoint.Checkpoint;
import dev.varve.transaction.checkpoint.CheckpointFile;
import dev.varve.transaction.log.TransactionLog;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Keeps the log short. After each flush it moves the low-water mark up to the oldest record that
 * recovery would need, writes a checkpoint and gives up the segments below it. When the log is
 * longer than its limit all the same, it has the dataset sealed that holds the mark back, so that
 * one which nobody writes to any more does not keep the log for ever. One thread at a time.
 */
final class Checkpointer implements Worker {
  private static final Logger LOGGER = LogManager.getLogger(Checkpointer.class);

  private final TransactionLog log;
  private final TransactionTable transactions;
  private final ActiveDatasets active;
  private final CheckpointFile file;
  private final NodeHealth health;
  private final Signal progress;
  private final long retentionBytes;

  /** Held while the checkpoint is replaced and the log below it given up. */
  private final ReentrantLock checkpointLock = new ReentrantLock();

  private volatile long lowWaterMark;
  private volatile boolean wanted;
  private volatile boolean working;

  Checkpointer(NodeContext node, ActiveDatasets active, CheckpointFile file, long retentionBytes) {
    this.log = node.log();
    this.transactions = node.transactions();
    this.active = active;
    this.file = file;
    this.health = node.health();
    this.progress = node.progress();
    this.retentionBytes = retentionBytes;
  }

  /** Where recovery would begin to read. */
  long lowWaterMark() {
    return lowWaterMark;
  }

  /** A flush has ended; the caller wakes the worker. */
  void flushEnded() {
    wanted = true;
  }

  /** Whether every flush that has ended is reckoned with, or none will be any more. */
  boolean quiet() {
    return (!wanted && !working) || health.closed();
  }

  @Override
  public String name() {
    return "varve-checkpoint";
  }

  @Override
  public int doWork() {
    if (!wanted || health.closed()) {
      return 0;
    }
    working = true;
    wanted = false;
    try {
      advance();
    } catch (StorageException e) {
      if (e.getCause() instanceof ConflictException lost) {
        // The directory is no longer this engine's: what is written now goes where nobody reads, or
        // between what another engine writes.
        health.poison(lost);
      }
      // The checkpoint before still stands, and what it needs is there. The next flush tries again.
      FailurePaths.warn(LOGGER, "the low-water mark stays at LSN {}", lowWaterMark, e);
    } finally {
      working = false;
      progress.raise();
    }
    return 1;
  }

  private void advance() throws StorageException {
    long mark = mark();
    if (mark > lowWaterMark) {
      checkpoint(Checkpoint.Kind.RUNNING, mark);
    }
    if (log.endLsn() - mark > retentionBytes) {
      sealOldest();
    }
  }

  /** The oldest LSN that recovery would need now. */
  long mark() {
    return mark(
        log::endLsn,
        () -> {
          List<LongSupplier> holders = new ArrayList<>();
          // Transactions first: when one has ended meanwhile, its dataset knows what it wrote.
          holders.add(transactions::oldestFirstLsn);
          active.list().forEach(dataset -> holders.add(dataset::redoPosition));
          return holders;
        });
  }

  /**
   * The lowest LSN that something holds.
   *
   * @param end of the log; asked first, for what is appended while the holders are looked at lies
   *     above it, wherever it is
   */
  static long mark(LongSupplier end, Supplier<List<LongSupplier>> holders) {
    long mark = end.getAsLong();
    for (LongSupplier holder : holders.get()) {
      mark = Math.min(mark, holder.getAsLong());
    }
    return mark;
  }

  /** Writes a checkpoint and gives up the log below it. */
  void checkpoint(Checkpoint.Kind kind, long mark) throws StorageException {
    checkpointLock.lock();
    try {
      // Read after the mark was: whatever flush the mark relies on is among them.
      SortedMap<Integer, Long> flushes = active.newestFlushes();
      file.advance(kind, log, mark, transactions.nextTransaction(), flushes);
      lowWaterMark = mark;
    } finally {
      checkpointLock.unlock();
    }
  }

  /** Does something while the checkpoint stays as it is, and the log that it needs. */
  void withLogKept(ActiveDatasets.Change action) throws StorageException {
    checkpointLock.lock();
    try {
      action.make();
    } finally {
      checkpointLock.unlock();
    }
  }

  private void sealOldest() {
    ManagedDataset oldest = null;
    long position = Long.MAX_VALUE;
    for (ManagedDataset dataset : active.list()) {
      if (dataset.redoPosition() < position) {
        position = dataset.redoPosition();
        oldest = dataset;
      }
    }
    if (oldest != null) {
      oldest.writeBuffer().seal();
    }
  }

  @Override
  public void failed(Throwable cause) {
    health.poison(cause);
  }
}
