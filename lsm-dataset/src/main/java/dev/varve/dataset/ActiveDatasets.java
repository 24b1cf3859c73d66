package dev.varve.dataset;

import dev.varve.common.env.BoundedFileSystem;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.ManagedDataset.Memory;
import dev.varve.dataset.internal.partition.NodeHealth;
import dev.varve.dataset.internal.partition.PartitionLifecycle.Access;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Which datasets are active, and which of those have memory for writes, under a cap on the memory
 * of all. A dataset becomes active when it is used, and gets its memory when it is written; if that
 * does not fit, the dataset that was used longest ago and has no writer inside is flushed and gives
 * up its own, while readers stay (Storage Management in AsterixDB, section 5.2). Thread-safe.
 */
final class ActiveDatasets {
  private static final Logger LOGGER = LogManager.getLogger(ActiveDatasets.class);

  private final long capBytes;
  private final BoundedFileSystem files;
  private final NodeHealth health;
  private final Mutex mutex;

  /** By number; changed by the thread that has the mutex, read by any thread. */
  private final NavigableMap<Integer, ManagedDataset> active = new ConcurrentSkipListMap<>();

  /** Every dataset, active or not; changed by the thread that has the mutex. */
  private final NavigableMap<Integer, ManagedDataset> known = new ConcurrentSkipListMap<>();

  /** What datasets have of the memory for writes; changed by the thread that has the mutex. */
  private final AtomicLong reservedBytes = new AtomicLong();

  /** Told of each dataset that becomes active. */
  private volatile Consumer<ManagedDataset> activation = dataset -> {};

  /**
   * No datasets.
   *
   * @param capBytes cap on memory for writes
   * @param files where their components are open
   */
  ActiveDatasets(long capBytes, BoundedFileSystem files, NodeHealth health, Mutex mutex) {
    this.capBytes = capBytes;
    this.files = files;
    this.health = health;
    this.mutex = mutex;
  }

  /** From now on a listener is told of each dataset that becomes active; it does not wait. */
  void onActivation(Consumer<ManagedDataset> listener) {
    activation = listener;
  }

  /** For those who open, close or drop a dataset. */
  Mutex mutex() {
    return mutex;
  }

  /** Those that are active now. */
  List<ManagedDataset> list() {
    return List.copyOf(active.values());
  }

  /** An active dataset by its number. */
  ManagedDataset get(int number) {
    return Objects.requireNonNull(active.get(number));
  }

  /** Memory for writes of the datasets that have some. */
  long budgetBytes() {
    return reservedBytes.get();
  }

  /** A dataset exists. */
  void know(ManagedDataset dataset) {
    known.put(number(dataset), dataset);
  }

  /** A dataset was dropped. */
  void forget(ManagedDataset dataset) {
    known.remove(number(dataset));
  }

  private static int number(ManagedDataset dataset) {
    return dataset.descriptor().datasetId();
  }

  /** The newest flush of each index of every dataset, active or not. */
  SortedMap<Integer, Long> newestFlushes() {
    SortedMap<Integer, Long> newest = new TreeMap<>();
    known.values().forEach(dataset -> dataset.addNewestFlushes(newest));
    return newest;
  }

  /** Where in the log the redo of any index would begin, one index left out. */
  long redoPositionOfOthers(int index) {
    long position = Long.MAX_VALUE;
    for (ManagedDataset dataset : active.values()) {
      position = Math.min(position, dataset.redoPositionOfOthers(index));
    }
    return position;
  }

  /** Makes a dataset active, if it is not, and lets readers in, and writers if they want. */
  void activate(ManagedDataset dataset, Access access) throws StorageException {
    mutex.acquire();
    try {
      health.requireOpen();
      if (dataset.dropped()) {
        return;
      }
      if (!active.containsKey(number(dataset))) {
        dataset.openIndexes();
        active.put(number(dataset), dataset);
        dataset.letIn();
        closeUnused(dataset);
        activation.accept(dataset);
      }
      if (access == Access.WRITE) {
        reserve(dataset);
        dataset.allowWrites();
      }
    } finally {
      mutex.release();
    }
  }

  /** Opens a dataset for recovery, which has the mutex; nobody is let in. */
  void activateForRedo(ManagedDataset dataset) throws StorageException {
    reserve(dataset);
    dataset.openIndexes();
    active.put(number(dataset), dataset);
  }

  /**
   * Recovery is over: readers are let in. A dataset keeps the memory in which it has what was
   * redone.
   */
  void letIn() {
    active.values().forEach(ManagedDataset::letIn);
  }

  /** Something that is done while no dataset is opened or closed. */
  @FunctionalInterface
  interface Change {
    void make() throws StorageException;
  }

  /** Does something while no dataset is opened or closed; the caller does not have the mutex. */
  void inTurn(Change change) throws StorageException {
    mutex.acquire();
    try {
      health.requireOpen();
      change.make();
    } finally {
      mutex.release();
    }
  }

  /** Takes a dataset out whose indexes its caller closes; the caller has the mutex. */
  void remove(ManagedDataset dataset) {
    giveUp(dataset);
    active.remove(number(dataset));
  }

  /** The memory that a dataset had is free. */
  private void giveUp(ManagedDataset dataset) {
    reservedBytes.addAndGet(-dataset.reservedBytes());
    dataset.setWritable(Memory.NONE);
  }

  /** Has a dataset have memory for writes. */
  private void reserve(ManagedDataset dataset) throws StorageException {
    if (dataset.writable()) {
      return;
    }
    long bytes = dataset.neededBytes();
    if (reservedBytes.get() + bytes > capBytes) {
      makeRoom(bytes);
    }
    dataset.setWritable(Memory.OWN);
    long reserved = reservedBytes.addAndGet(bytes);
    assert reserved <= capBytes || bytes == 0 : reserved + " of " + capBytes;
  }

  /**
   * A dataset, and when it was used last as of one moment: others go on using datasets while these
   * are sorted.
   */
  private record Aged(ManagedDataset dataset, long lastUse) {}

  /** The one that was used longest ago comes first. */
  private List<ManagedDataset> byAge(Predicate<ManagedDataset> which) {
    return active.values().stream()
        .filter(which)
        .map(dataset -> new Aged(dataset, dataset.lastUse()))
        .sorted(Comparator.comparingLong(Aged::lastUse))
        .map(Aged::dataset)
        .toList();
  }

  private void makeRoom(long bytes) throws StorageException {
    for (ManagedDataset victim : byAge(dataset -> dataset.reservedBytes() > 0)) {
      takeMemory(victim);
      if (reservedBytes.get() + bytes <= capBytes) {
        return;
      }
    }
    throw new LimitException(
        "bytes of memory for writes (activeDatasetBytes), with what "
            + writing()
            + " datasets need that are being written",
        reservedBytes.get() + bytes,
        capBytes);
  }

  /**
   * Closes datasets that nobody uses, if more files are open than may have a handle: each takes
   * heap, too. Some more are closed, so that not every opening looks for one.
   */
  private void closeUnused(ManagedDataset opened) {
    if (files.owned() <= files.mostOpen()) {
      return;
    }
    for (ManagedDataset victim : byAge(dataset -> dataset != opened)) {
      close(victim);
      if (files.owned() <= files.mostOpen() / 4 * 3) {
        return;
      }
    }
  }

  private void close(ManagedDataset victim) {
    if (!victim.tryKeepOut()) {
      return;
    }
    try {
      victim.flush();
    } catch (StorageException e) {
      // The index has its failure, and whoever writes next learns of it. Nobody needs it closed.
      LOGGER.debug("'{}' stays open", victim.descriptor().options().name(), e);
      letInAgain(victim);
      return;
    } catch (RuntimeException | Error e) {
      letInAgain(victim);
      throw e;
    }
    victim.closeIndexes();
    remove(victim);
    LOGGER.debug("dataset '{}' is no longer active", victim.descriptor().options().name());
  }

  private static void letInAgain(ManagedDataset dataset) {
    dataset.letIn();
    if (dataset.writable()) {
      dataset.allowWrites();
    }
  }

  private long writing() {
    return active.values().stream().filter(dataset -> dataset.reservedBytes() > 0).count();
  }

  /** Flushes a dataset that nobody writes to now, and takes its memory. */
  private void takeMemory(ManagedDataset victim) throws StorageException {
    boolean open = !victim.keptOut();
    if (open && !victim.tryRefuseWrites()) {
      return;
    }
    try {
      victim.flush();
    } catch (StorageException | RuntimeException | Error e) {
      if (open) {
        victim.allowWrites();
      }
      throw e;
    }
    giveUp(victim);
    LOGGER.debug("dataset '{}' has no memory for writes", victim.descriptor().options().name());
  }
}
