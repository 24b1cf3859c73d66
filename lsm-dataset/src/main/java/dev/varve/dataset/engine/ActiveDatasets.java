package dev.varve.dataset.engine;

import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.partition.NodeHealth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Which datasets are active, under a cap on the memory of all of them. A dataset becomes active
 * when it is used; if it does not fit, unused ones are flushed and closed, the one that was used
 * longest ago first (Storage Management in AsterixDB, section 5.2). Thread-safe.
 */
final class ActiveDatasets {
  private static final Logger LOGGER = LogManager.getLogger(ActiveDatasets.class);

  private final long capBytes;
  private final NodeHealth health;
  private final Turn turn;

  /** Changed by who has the turn; read by anybody. */
  private volatile List<ManagedDataset> active = List.of();

  /** Every dataset, active or not; copied when it changes, by who has the turn. */
  private volatile List<ManagedDataset> known = List.of();

  ActiveDatasets(long capBytes, NodeHealth health, Turn turn) {
    this.capBytes = capBytes;
    this.health = health;
    this.turn = turn;
  }

  /** Those that are active now. */
  List<ManagedDataset> list() {
    return active;
  }

  /** Budgets of the active datasets. */
  long budgetBytes() {
    return active.stream().mapToLong(ManagedDataset::reservedBytes).sum();
  }

  /** A dataset exists. */
  void know(ManagedDataset dataset) {
    List<ManagedDataset> all = new ArrayList<>(known);
    all.add(dataset);
    known = List.copyOf(all);
  }

  /** A dataset was dropped. */
  void forget(ManagedDataset dataset) {
    List<ManagedDataset> rest = new ArrayList<>(known);
    rest.remove(dataset);
    known = List.copyOf(rest);
  }

  /** The newest flush of each index of every dataset, active or not. */
  SortedMap<Integer, Long> newestFlushes() {
    SortedMap<Integer, Long> newest = new TreeMap<>();
    known.forEach(dataset -> dataset.addNewestFlushes(newest));
    return newest;
  }

  /** Where in the log the redo of any index would begin, one index left out. */
  long redoPositionOfOthers(int index) {
    long position = Long.MAX_VALUE;
    for (ManagedDataset dataset : active) {
      position = Math.min(position, dataset.redoPositionOfOthers(index));
    }
    return position;
  }

  /** Makes a dataset active, if it is not, and lets readers and writers in. */
  void activate(ManagedDataset dataset) throws StorageException {
    turn.acquire();
    try {
      health.requireOpen();
      if (dataset.dropped() || active.contains(dataset)) {
        return;
      }
      makeRoom(dataset.reservedBytes());
      dataset.openIndexes();
      add(dataset);
      dataset.letIn();
    } finally {
      turn.release();
    }
  }

  /** Opens a dataset for recovery, which has the turn; nobody is let in. */
  void activateForRedo(ManagedDataset dataset) throws StorageException {
    makeRoom(dataset.reservedBytes());
    dataset.openIndexes();
    add(dataset);
  }

  /** Something that is done while no dataset is opened or closed. */
  @FunctionalInterface
  interface Change {
    void make() throws StorageException;
  }

  /** Does something while no dataset is opened or closed; the caller does not have the turn. */
  void inTurn(Change change) throws StorageException {
    turn.acquire();
    try {
      health.requireOpen();
      change.make();
    } finally {
      turn.release();
    }
  }

  /** Takes a dataset out whose indexes its caller closes; the caller has the turn. */
  void remove(ManagedDataset dataset) {
    List<ManagedDataset> rest = new ArrayList<>(active);
    rest.remove(dataset);
    active = List.copyOf(rest);
  }

  private void add(ManagedDataset dataset) {
    List<ManagedDataset> all = new ArrayList<>(active);
    all.add(dataset);
    active = List.copyOf(all);
  }

  private void makeRoom(long bytes) throws StorageException {
    List<ManagedDataset> byAge = new ArrayList<>(active);
    byAge.sort(Comparator.comparingLong(ManagedDataset::lastUse));
    for (ManagedDataset victim : byAge) {
      if (budgetBytes() + bytes <= capBytes) {
        return;
      }
      deactivate(victim);
    }
    if (budgetBytes() + bytes > capBytes) {
      throw new LimitException(
          "bytes of memory for active datasets, none of which is unused",
          budgetBytes() + bytes,
          capBytes);
    }
  }

  private void deactivate(ManagedDataset victim) throws StorageException {
    boolean open = victim.hosts().stream().noneMatch(host -> host.keptOut());
    if (open && !victim.tryKeepOut()) {
      return;
    }
    try {
      victim.flush();
    } catch (StorageException | RuntimeException | Error e) {
      if (open) {
        victim.letIn();
      }
      throw e;
    }
    victim.closeIndexes();
    remove(victim);
    LOGGER.debug("dataset '{}' is no longer active", victim.descriptor().options().name());
  }
}
