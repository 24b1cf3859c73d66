package dev.varve.dataset;

import dev.varve.common.env.Signal;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import dev.varve.dataset.internal.partition.PartitionLifecycle;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The construction of one index in all partitions of a dataset. The part that is built last has the
 * catalog say that the index answers. Thread-safe; begun once.
 */
final class IndexConstruction {
  private final List<PartitionLifecycle> partitions;
  private final DatasetDescriptor.Building index;
  private final Owner owner;
  private final Signal progress;
  private final AtomicInteger partsLeft;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean awaited;
  private volatile boolean ended;

  /** What is done with an index that was built everywhere. */
  @FunctionalInterface
  interface Answering {
    /** It is to answer from now on. */
    void answer(String index) throws StorageException;
  }

  /** What is told of the end, by any thread. */
  @FunctionalInterface
  interface Ending {
    /**
     * Takes the end.
     *
     * @param failure what nobody waits for; null for none
     */
    void ended(String index, @Nullable Throwable failure);
  }

  /**
   * Whose dataset it is.
   *
   * @param answering called before the end if nothing has failed
   * @param ending called once
   */
  record Owner(Answering answering, Ending ending) {}

  /** A construction that is not begun. */
  IndexConstruction(
      List<PartitionLifecycle> partitions,
      DatasetDescriptor.Building index,
      Owner owner,
      Signal progress) {
    assert !partitions.isEmpty();
    this.partitions = List.copyOf(partitions);
    this.index = index;
    this.owner = owner;
    this.progress = progress;
    this.partsLeft = new AtomicInteger(partitions.size());
  }

  /** Name of the index. */
  String name() {
    return index.index().name();
  }

  /** Has writers of each partition maintain the index, one after the other, and begins its part. */
  void begin() throws StorageException {
    int begun = 0;
    try {
      for (PartitionLifecycle lifecycle : partitions) {
        lifecycle.changes().begin(index, this::partEnded);
        begun++;
      }
    } catch (StorageException | RuntimeException | Error e) {
      awaited = true; // by the caller, who is told at once
      for (int part = begun; part < partitions.size(); part++) {
        partEnded(e);
      }
      giveUp();
      throw e;
    }
  }

  private void partEnded(@Nullable Throwable cause) {
    if (cause != null && failure.compareAndSet(null, cause)) {
      giveUp();
    }
    int left = partsLeft.decrementAndGet();
    assert left >= 0 : left;
    if (left == 0) {
      if (failure.get() == null) {
        answer();
      }
      ended = true;
      owner.ending().ended(name(), awaited ? null : failure.get());
      progress.raise();
    }
  }

  private void answer() {
    try {
      owner.answering().answer(name());
    } catch (StorageException | RuntimeException e) {
      failure.set(e);
    }
  }

  /** Ends what is left of it, without the index. */
  void giveUp() {
    partitions.forEach(lifecycle -> lifecycle.changes().giveUp(name()));
  }

  /** Waits until it has ended, whatever interrupts there are. */
  void awaitEnd() {
    progress.awaitUninterruptibly(() -> ended);
  }

  /**
   * Waits until the index answers.
   *
   * @throws ConflictException with {@code INTERRUPTED} when the thread was: then it was given up
   */
  void await() throws StorageException {
    awaited = true;
    boolean interrupted = progress.await(() -> ended, Signal.FOREVER) == Signal.Outcome.INTERRUPTED;
    if (interrupted) {
      giveUp();
      awaitEnd();
    }
    Throwable cause = failure.get();
    if (cause == null) {
      return;
    }
    if (interrupted) {
      throw new ConflictException(
          ConflictException.Reason.INTERRUPTED,
          "interrupted while index '" + name() + "' was built; there is none");
    }
    if (cause instanceof StorageException storage) {
      throw storage;
    }
    throw new IllegalStateException("index '" + name() + "' was not built", cause);
  }
}
