package dev.varve.dataset.internal.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DeletedKeys;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.EntryGroups;
import dev.varve.common.index.LsmCursor;
import dev.varve.common.index.LsmIndex;
import dev.varve.dataset.kind.IndexKind;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.rtree.query.NearestCursor;
import org.jspecify.annotations.Nullable;

/**
 * An open secondary index and its kind. Thread-safe; closed by its partition.
 *
 * @param lsm the index
 * @param kind what it is, over as many fields as are indexed
 * @param stamped whether the values of its entries are {@linkplain Stamp stamps}
 */
record SecondaryIndex<Q>(LsmIndex<Q> lsm, IndexKind<Q> kind, boolean stamped) {
  /** Finds primary keys in the keys of entries, for one thread. */
  EntryKeys newEntryKeys() {
    DeletedKeys.PrimaryKeyView view = kind.newPrimaryKeyView();
    Slice primaryKey = new Slice();
    return key -> {
      try {
        return view.viewPrimaryKey(key, primaryKey);
      } catch (IllegalArgumentException e) {
        throw new CorruptionException(
            lsm.describe(),
            -1,
            "entry " + key + " is none of kind " + kind.name() + ": " + e.getMessage());
      }
    };
  }

  /**
   * Begins a search.
   *
   * @param filter which records are wanted; those that are found may be others
   * @throws RequestException with {@code UNSUPPORTED} when the kind does not answer it
   */
  @SuppressWarnings("MustBeClosedChecker") // closed with the candidates
  Candidates search(IndexSearch search, FilterRange filter) throws StorageException {
    IndexKind.Question<Q> question = kind.question(search);
    if (question == null) {
      throw refused(search);
    }
    return new Candidates(
        filter.searchCandidates(lsm, question.query()), question.wanted(), kind.isExact(search));
  }

  /**
   * Begins a search by distance.
   *
   * @param filter which records are wanted; those that are found may be others
   * @throws RequestException with {@code UNSUPPORTED} when the kind does not answer it
   */
  @MustBeClosed
  NearestCursor nearest(NearestSearch search, FilterRange filter) throws StorageException {
    NearestCursor candidates = kind.nearest(lsm, search, filter);
    if (candidates == null) {
      throw refused(search);
    }
    return candidates;
  }

  private RequestException refused(IndexSearch search) {
    return new RequestException(
        RequestException.Reason.UNSUPPORTED, lsm.describe() + " does not answer " + search);
  }

  /**
   * Hands out the keys of all that the components of the index hold for the record that was read
   * last, which has an entry in it.
   */
  void heldKeys(RecordEntries record, int secondary, IndexKind.KeySink sink)
      throws StorageException {
    kind.heldKeys(record.key(secondary), record.value(secondary), sink);
  }

  /** Gathers what is loaded. */
  EntryGroups newEntryGroups() {
    EntryGroups ofKind = kind.newEntryGroups();
    return ofKind == null ? new SingleKeys(kind) : ofKind;
  }

  /** The keys of entries one by one, for kinds that make no groups. */
  private record SingleKeys(IndexKind<?> kind) implements EntryGroups {
    @Override
    public boolean makesGroups() {
      return false;
    }

    @Override
    public void add(Slice key, Slice value, GroupSink sink) throws StorageException {
      kind.heldKeys(key, value, sink::take);
    }

    @Override
    public void handOut(GroupSink sink) {
      // Nothing is kept back.
    }
  }

  /**
   * Points a slice at the key by which all entries of a record are deleted; null for a kind whose
   * entries are deleted one by one.
   */
  @Nullable Slice recordKey(Slice primaryKey, Slice target) {
    return kind.recordKey(primaryKey, target);
  }

  /**
   * Whether a change that reads no old record leaves its entries here: not where the primary key
   * says which they are.
   */
  boolean keepsObsolete() {
    return recordKey(new Slice(), new Slice()) == null;
  }

  /** All that its components hold, by key; nothing may be written meanwhile. */
  @MustBeClosed
  EntryCursor everything() throws StorageException {
    return lsm.contents().scan();
  }

  /** Finds the primary key in the key of an entry. Confined to its owner. */
  @FunctionalInterface
  interface EntryKeys {
    /** The primary key; a view that holds until the next call. */
    Slice primaryKey(Slice entryKey) throws CorruptionException;
  }

  /**
   * A search that has begun.
   *
   * @param states the newest states of all entries that may be wanted, antimatter included; closed
   *     by the cursor that takes them
   * @param wanted whether the entry that a record has by now is wanted
   * @param exact whether an entry that stands is wanted, whatever else the record has
   */
  record Candidates(LsmCursor states, IndexKind.Wanted wanted, boolean exact) {}
}
