package dev.varve.dataset;

import dev.varve.common.error.StorageException;
import dev.varve.common.index.WriteAheadLog;
import dev.varve.dataset.internal.value.UnforcedValues;
import dev.varve.transaction.log.TransactionLog;

/**
 * The node's log as its indexes see it. Before a component becomes durable the log is forced, so
 * that after a power loss a prefix of the commits is left; not, when all that the force would save
 * is in components already, or in this one. What a component refers to is always forced.
 * Thread-safe.
 */
final class LogOfIndexes implements WriteAheadLog {
  private final TransactionLog log;
  private final UnforcedValues values;
  private final ActiveDatasets active;

  LogOfIndexes(TransactionLog log, UnforcedValues values, ActiveDatasets active) {
    this.log = log;
    this.values = values;
    this.active = active;
  }

  @Override
  public long endLsn() {
    return log.endLsn();
  }

  @Override
  public void force() throws StorageException {
    values.force();
    long end = log.endLsn();
    if (end > 0) {
      log.force(end - 1);
    }
  }

  @Override
  public void forceOthers(int index, long lsn) throws StorageException {
    values.force();
    // Whatever is put into any index from here on has a higher LSN than the component's last.
    if (active.redoPositionOfOthers(index) <= lsn) {
      log.force(lsn);
    }
  }
}
