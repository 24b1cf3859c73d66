package dev.varve.hyracks.adapter;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.EngineSnapshot;
import dev.varve.dataset.Store;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.common.ISearchPredicate;
import org.jspecify.annotations.Nullable;

/** What the tuples of one index are kept in, by the shape of the index. Thread-safe. */
interface TupleStore {
  /** The engine's store. */
  Store store();

  /** Opens a session of changes. */
  @MustBeClosed
  TupleChanges openSession() throws StorageException;

  /** Begins a transaction of changes, all or none. */
  @MustBeClosed
  TupleChanges beginTransaction() throws StorageException;

  /** Starts a bulk load; the index must be empty. */
  @MustBeClosed
  TupleLoad load() throws StorageException;

  /**
   * Begins a search.
   *
   * @param snapshot what it reads; null for what is committed by now
   * @throws HyracksDataException when an index of this shape can't answer the predicate
   */
  @MustBeClosed
  TupleSearch search(ISearchPredicate predicate, @Nullable EngineSnapshot snapshot)
      throws StorageException, HyracksDataException;
}
