package dev.varve.scheduler.admission;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.MemoryUse;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergePolicy;
import dev.varve.scheduler.admission.ComponentLimit.Merges;
import dev.varve.scheduler.admission.DatasetMemory.Decision;
import dev.varve.scheduler.admission.WriteConditions.Usage;
import dev.varve.scheduler.tuner.IndexFlow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory for writes of a dataset: the memory components of all indexes in all its partitions,
 * which are sealed together and so flushed together (see {@link DatasetMemory}), and how far their
 * flushes and merges are. Thread-safe.
 */
public final class WriteBuffer {
  /**
   * The part of its buffer that the next dataset is ahead of the one before: the golden section.
   */
  private static final double STAGGER = 0.6180339887498949;

  private final Dataset dataset;
  private final long budgetBytes;

  /** How much is written before a seal, at most. */
  private final long mostSealAtBytes;

  /** How much is written before a seal. */
  private volatile long sealAtBytes;

  private final LongSupplier logEnd;
  private final ReentrantLock lock = new ReentrantLock();

  /** Replaced under the lock. */
  private volatile List<LsmIndex<?>> indexes = List.of();

  private volatile MergePolicy mergePolicy;

  /** End of the log when all indexes were sealed last. */
  private volatile long sealedAtLsn;

  /** How much is written before the next seal: less before the first. */
  private volatile long nextSealAtBytes;

  /**
   * Whose memory it is.
   *
   * @param id number of the dataset, from 1
   * @param name its name
   * @param memoryBytes how much memory of its own it asks for
   * @param mergePolicy what decides the merges of its indexes, and their component limit
   */
  public record Dataset(int id, String name, long memoryBytes, MergePolicy mergePolicy) {}

  /** Disk components of the index that is nearest to its limit. */
  record Nearest(Usage components, String index) {}

  /**
   * The buffer of a dataset that has no open indexes.
   *
   * @param budgetBytes all that it may take
   * @param sealAtBytes how much is written before its indexes are sealed, at most the budget
   * @param logEnd where the log ends now
   */
  WriteBuffer(Dataset dataset, long budgetBytes, long sealAtBytes, LongSupplier logEnd) {
    this.dataset = dataset;
    this.budgetBytes = budgetBytes;
    this.mostSealAtBytes = sealAtBytes;
    this.sealAtBytes = sealAtBytes;
    this.logEnd = logEnd;
    this.nextSealAtBytes = sealAtBytes;
    this.mergePolicy = dataset.mergePolicy();
  }

  /**
   * These are the indexes from now on; none for a dataset that is closed.
   *
   * <p>Datasets that are written at the same rate would be full at the same time, over and over,
   * and the last of them would wait for the flushes of all others. So each has its first seal
   * earlier by another part of its buffer; the first dataset of an engine by none.
   */
  void setIndexes(List<LsmIndex<?>> opened) {
    lock.lock();
    try {
      indexes = List.copyOf(opened);
    } finally {
      lock.unlock();
    }
    sealedAtLsn = logEnd.getAsLong();
    double ahead = (dataset.id() - 1) * STAGGER;
    nextSealAtBytes = sealAtBytes - (long) (sealAtBytes * (ahead - Math.floor(ahead)) / 2);
  }

  /** Indexes of a partition are about to be closed, to be opened anew. */
  public void remove(List<LsmIndex<?>> old) {
    change(all -> all.removeAll(old));
  }

  /** Indexes of a partition were opened anew, and hold nothing. */
  public void add(List<LsmIndex<?>> opened) {
    change(all -> all.addAll(opened));
  }

  /** While the lock is held nothing is sealed. */
  private void change(Consumer<List<LsmIndex<?>>> change) {
    lock.lock();
    try {
      List<LsmIndex<?>> all = new ArrayList<>(indexes);
      change.accept(all);
      indexes = List.copyOf(all);
    } finally {
      lock.unlock();
    }
  }

  /**
   * From now on a memory component holds a part of what it may hold: the indexes are sealed sooner.
   *
   * @param part above 0, at most 1
   */
  public void setSealPart(double part) {
    long bytes = Math.max(1, Math.round(mostSealAtBytes * part));
    if (bytes != sealAtBytes) {
      sealAtBytes = bytes;
      nextSealAtBytes = bytes;
    }
  }

  /** From now on the component limit of this policy holds. */
  public void setMergePolicy(MergePolicy policy) {
    mergePolicy = policy;
  }

  /** What decides the merges of its indexes. */
  public MergePolicy mergePolicy() {
    return mergePolicy;
  }

  Dataset dataset() {
    return dataset;
  }

  /** The memory that the dataset may take: its own, or all of what datasets share. */
  public long budgetBytes() {
    return budgetBytes;
  }

  /** Bytes in all memory components, those that are being flushed included. */
  public long memoryBytes() {
    long bytes = 0;
    for (LsmIndex<?> index : indexes) {
      bytes += index.state().memoryBytes();
    }
    return bytes;
  }

  /** What operations take of the memory. */
  MemoryUse use() {
    MemoryUse use = MemoryUse.NONE;
    List<LsmIndex<?>> all = indexes;
    for (int i = 0; i < all.size(); i++) {
      use = use.plus(all.get(i).state().memoryUse());
    }
    return use;
  }

  /** The same, with what is written before the next seal. */
  DatasetMemory memory() {
    MemoryUse use = use();
    return new DatasetMemory(
        use.writableBytes(), use.sealedBytes(), use.flushPending(), nextSealAtBytes, budgetBytes);
  }

  /** What the dataset has of the memory that all share. */
  SharedMemory.Member member() {
    MemoryUse use = use();
    boolean heldUp = false;
    long oldest = Long.MAX_VALUE;
    for (LsmIndex<?> index : indexes) {
      heldUp |= index.state().flushWaitsForWriter() || index.state().flushFailure() != null;
      oldest = Math.min(oldest, index.state().redoPosition());
    }
    return new SharedMemory.Member(
        use.writableBytes(), use.sealedBytes(), use.flushPending(), heldUp, oldest);
  }

  /** How long the log has become since all indexes were sealed last. */
  long logBytes() {
    return logEnd.getAsLong() - sealedAtLsn;
  }

  /** Whether an index has as many disk components as it may have. */
  boolean atComponentLimit() {
    return nearest().components().full();
  }

  Nearest nearest() {
    Nearest nearest = new Nearest(Usage.UNBOUNDED, "");
    for (LsmIndex<?> index : indexes) {
      IndexShape shape = index.shape();
      Usage usage = ComponentLimit.usage(mergePolicy, shape, merges(index));
      if (usage.fraction() > nearest.components().fraction()) {
        nearest = new Nearest(usage, index.describe());
      }
    }
    return nearest;
  }

  /** Every index, for RocksDB's write controller. */
  List<MergeControl.Asked> asked() {
    MergePolicy policy = mergePolicy;
    List<MergeControl.Asked> asked = new ArrayList<>();
    for (LsmIndex<?> index : indexes) {
      asked.add(new MergeControl.Asked(index.describe(), policy, index.shape(), merges(index)));
    }
    return asked;
  }

  /** Whether something merges, or is about to. */
  boolean mergesGoOn() {
    for (LsmIndex<?> index : indexes) {
      if (index.state().mergesGoOn()) {
        return true;
      }
    }
    return false;
  }

  private static Merges merges(LsmIndex<?> index) {
    return index.state().mergesGoOn() ? Merges.GO_ON : Merges.REST;
  }

  /** What waits in every index: disk components against their limit, and bytes for merges. */
  public List<IndexFlow> flows() {
    MergePolicy policy = mergePolicy;
    return indexes.stream()
        .map(index -> IndexFlow.of(index.describe(), policy, index.shape()))
        .toList();
  }

  /** Seals all indexes if there is room for their next components, so that they are flushed. */
  public void seal() {
    lock.lock();
    try {
      if (canSeal()) {
        sealNow();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Seals all indexes if that is still what comes next, and another thread has not done it. */
  void sealIfDue() {
    lock.lock();
    try {
      if (memory().decide(this::atComponentLimit) == Decision.SEAL) {
        sealNow();
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void sealNow() {
    sealedAtLsn = logEnd.getAsLong();
    nextSealAtBytes = sealAtBytes;
    indexes.forEach(LsmIndex::seal);
  }

  /** Whether every index has room for its next memory component. */
  boolean canSeal() {
    for (LsmIndex<?> index : indexes) {
      if (!index.state().canSeal()) {
        return false;
      }
    }
    return true;
  }

  /** The failure of a flush that has not succeeded since, as text. */
  Optional<String> flushFailure() {
    for (LsmIndex<?> index : indexes) {
      @Nullable Throwable failure = index.state().flushFailure();
      if (failure != null) {
        return Optional.of(String.valueOf(failure.getMessage()));
      }
    }
    return Optional.empty();
  }

  /** Submits flushes once more that failed. */
  void retryFailedFlushes() {
    for (LsmIndex<?> index : indexes) {
      if (index.state().flushFailure() != null) {
        index.retryFlush();
      }
    }
  }

  /** Every index, as {@code LsmIndex.describe} says it. */
  List<String> describe() {
    return indexes.stream().map(LsmIndex::describe).toList();
  }

  /** The indexes whose flush waits for a writer that has not left. */
  List<String> occupied() {
    return indexes.stream()
        .filter(index -> index.state().flushWaitsForWriter())
        .map(LsmIndex::describe)
        .toList();
  }
}
