package dev.varve.transaction.recovery;

import dev.varve.common.error.StorageException;
import dev.varve.transaction.log.LogRecord;

/** The target of redo: the indexes of the engine. */
public interface RedoTarget {
  /** The index LSN of an index that was dropped: nothing is replayed into it. */
  long DROPPED = Long.MAX_VALUE;

  /**
   * LSN up to which every logged operation on an index is in its disk components; -1 for an empty
   * index, {@link #DROPPED} for one that is gone. Asked for every record of a committed
   * transaction; an index that was never known is the target's to refuse.
   */
  long indexLsn(int index) throws StorageException;

  /**
   * Applies an update once more; called in LSN order.
   *
   * @param update valid during the call only
   */
  void redo(LogRecord update) throws StorageException;
}
