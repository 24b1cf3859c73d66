package dev.varve.hyracks.adapter;

import dev.varve.common.error.StorageException;
import org.apache.hyracks.api.exceptions.HyracksDataException;

/** One search of an index. Confined to one thread. */
interface TupleSearch extends AutoCloseable {
  /** Where a search is that was begun anew at a tuple. */
  enum Place {
    /** At the tuple, as it is by now. */
    THERE,
    /** It has gone; at the next one. */
    BEHIND,
    /** It has gone, and was the last. */
    AT_END
  }

  /**
   * Moves to the next tuple.
   *
   * @param tuple filled with a copy; left as it was at the end
   */
  boolean next(StoredTuple tuple) throws StorageException, HyracksDataException;

  /**
   * Looks anew for the tuple that the search is at, which others may have changed.
   *
   * @param tuple filled with a copy of the tuple that the search is at then
   */
  Place again(StoredTuple tuple) throws StorageException, HyracksDataException;

  /** Gives back what it holds; idempotent. */
  @Override
  void close();
}
