package dev.varve.common.format;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;

/**
 * An index of one kind in memory: what a memory component delegates to. At most one entry per key.
 * Thread-safe for any mix of writers and readers; a writer of a key is alone (it holds the lock on
 * the primary key).
 *
 * @param <Q> the kind's search predicate
 */
public interface MemoryIndex<Q> {
  /** Adds an entry, replacing one with the same key; the bytes are copied. */
  void put(Entry entry);

  /**
   * Adds an entry as {@link #put} does, but readers may not see it before {@link #settle}: an index
   * that is filled before anybody reads it can put its entries into order first. Called by one
   * thread, while no other one puts or reads.
   */
  default void gather(Entry entry) {
    put(entry);
  }

  /** Has readers see all that was gathered; of entries with the same key the last one. */
  default void settle() {}

  /**
   * Finds the entry with a key, matter or antimatter.
   *
   * @param found filled with copies of key and value when the result is true
   */
  boolean find(Slice key, Entry found);

  /**
   * Finds the entries with the keys that a batch {@linkplain LookupBatch#askedCount asks for}, and
   * copies them into it; see {@link DiskIndex#findAll}.
   */
  default void findAll(LookupBatch batch) {
    Slice key = new Slice();
    Entry found = new Entry();
    for (int n = 0; n < batch.askedCount(); n++) {
      int position = batch.asked(n);
      if (find(batch.key(position, key), found)) {
        batch.found(position, found, LookupBatch.Place.MEMORY);
        if (batch.isFull()) {
          batch.endBehind(position);
          return;
        }
      }
    }
  }

  /**
   * Searches; entries come in key order, antimatter included. A cursor sees every entry that was
   * there when it was opened, and may or may not see later ones.
   */
  @MustBeClosed
  EntryCursor search(Q predicate) throws StorageException;

  /** All entries ascending by key, for a flush: nobody writes any more. */
  @MustBeClosed
  EntryCursor scan() throws StorageException;

  /** Number of entries, antimatter included. */
  long entryCount();

  /** Bytes of heap that the index holds. */
  long usedBytes();
}
