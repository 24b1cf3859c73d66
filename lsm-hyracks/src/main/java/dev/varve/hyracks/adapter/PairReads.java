package dev.varve.hyracks.adapter;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.EngineSnapshot;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.model.RecordCursor;
import org.jspecify.annotations.Nullable;

/**
 * The pairs that a search reads. Thread-safe.
 *
 * @param store where they are
 * @param snapshot as of what they are read; null for what is committed by now
 */
record PairReads(KeyValueStore store, @Nullable EngineSnapshot snapshot) {
  /** Scans a range. */
  @MustBeClosed
  RecordCursor scan(KeyRange range) throws StorageException {
    EngineSnapshot moment = snapshot;
    return moment == null ? store.scan(range) : moment.scan(store, range);
  }

  /** Whether there is a pair. */
  boolean has(Slice key) throws StorageException {
    try (RecordCursor found =
        scan(KeyRange.between(KeyBound.inclusive(key), KeyBound.inclusive(key)))) {
      return found.next();
    }
  }
}
