package dev.varve.dataset.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.EntryCursor;
import dev.varve.common.index.LsmCursor;
import dev.varve.common.index.LsmIndex;
import dev.varve.dataset.search.IndexSearch;

/**
 * An open secondary index with what is particular to its kind; everything else treats all indexes
 * alike. Thread-safe; closed by its partition.
 */
sealed interface SecondaryIndex permits KeyIndex, SpatialIndex, TextIndex {
  /** The index, whatever it is searched with. */
  LsmIndex<?> lsm();

  /** Takes keys of entries apart, for one thread. */
  EntryKeys newEntryKeys();

  /**
   * Begins a search.
   *
   * @throws RequestException with {@code UNSUPPORTED} when the kind does not answer it
   */
  Candidates search(IndexSearch search) throws StorageException;

  /**
   * Hands out the keys of all that the components of the index hold for the record that was read
   * last, which has an entry in it.
   */
  default void heldKeys(RecordEntries record, int secondary, KeySorter.KeySink sink)
      throws StorageException {
    sink.take(record.key(secondary));
  }

  /** All that its components hold, by key. */
  @MustBeClosed
  EntryCursor everything() throws StorageException;

  /** Refuses a search. */
  default RequestException refused(IndexSearch search) {
    return new RequestException(
        RequestException.Reason.UNSUPPORTED, lsm().describe() + " does not answer " + search);
  }

  /** Finds the primary key in the key of an entry. Confined to its owner. */
  @FunctionalInterface
  interface EntryKeys {
    /** The primary key; a view that holds until the next call. */
    Slice primaryKey(Slice entryKey) throws CorruptionException;
  }

  /** Whether an entry is one of those that a search looks for. */
  @FunctionalInterface
  interface Wanted {
    /** Decides by key and value of the entry that a record has now. */
    boolean test(Slice key, Slice value);
  }

  /**
   * A search that has begun.
   *
   * @param states the newest states of all entries that may be wanted, antimatter included; closed
   *     by who began it
   * @param wanted whether the entry that a record has by now is wanted
   */
  record Candidates(LsmCursor states, Wanted wanted) {}
}
