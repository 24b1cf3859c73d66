package dev.varve.transaction;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.transaction.log.LogOperation;

/** Where the operations of an aborted transaction are undone: the indexes of the engine. */
public interface UndoTarget {
  /**
   * Applies the inverse of an operation to the memory component of an index.
   *
   * @param operation the inverse, as it was given to {@link Transaction#willUndo}
   * @param key valid during the call only
   * @param value valid during the call only
   */
  void undo(int index, LogOperation operation, Slice key, Slice value) throws StorageException;
}
