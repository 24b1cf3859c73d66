package dev.varve.common.format;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;

/**
 * An index of one kind on the pages of a sealed file. Immutable and thread-safe; it does not own
 * the file.
 *
 * @param <Q> the kind's search predicate
 */
public interface DiskIndex<Q> {
  /**
   * Finds the entry with a key, matter or antimatter. Kinds that nothing asks for one key at a time
   * need not implement it: all entries are looked through.
   *
   * @param found filled with copies of key and value when the result is true
   */
  default boolean find(Slice key, Entry found) throws StorageException {
    try (EntryCursor cursor = scan()) {
      while (cursor.next()) {
        if (cursor.entry().key().sameBytes(key)) {
          found.copyOf(cursor.entry());
          return true;
        }
      }
      return false;
    }
  }

  /**
   * Finds the entries with the keys that a batch {@linkplain LookupBatch#askedCount asks for},
   * which are ascending, and copies them into it. Ends early, behind a key, once the batch is
   * {@linkplain LookupBatch#isFull full}. Kinds that gain nothing from the order need not implement
   * it.
   */
  default void findAll(LookupBatch batch) throws StorageException {
    Slice key = new Slice();
    Entry found = new Entry();
    for (int n = 0; n < batch.askedCount(); n++) {
      int position = batch.asked(n);
      if (find(batch.key(position, key), found)) {
        batch.found(position, found, LookupBatch.Place.DISK);
        if (batch.isFull()) {
          batch.endBehind(position);
          return;
        }
      }
    }
  }

  /**
   * Finds the entry with a key if no page has to be pinned or read from disk for that. May be
   * called while the file is being closed, and after that: the result counts if the file is found
   * open afterwards. Kinds that only ever pin need not implement it.
   *
   * @param found overwritten, whatever the result
   */
  default Lookup findOptimistically(Slice key, Entry found) {
    return Lookup.RETRY;
  }

  /**
   * Has the processor fetch what {@link #findOptimistically} looks at first, as far as that waits
   * for nothing; for few instructions, since the processor looks ahead over so many only.
   *
   * @return a number that depends on what was read, so that the reads are not left out
   */
  default int touchGlance(Slice key) {
    return 0;
  }

  /**
   * Has the processor fetch what a search begins with, as far as that waits for nothing: so that
   * several indexes are fetched from at once.
   *
   * @return a number that depends on what was read, so that the reads are not left out
   */
  default int prefetch(Q predicate) {
    return 0;
  }

  /** Searches; entries come in key order, antimatter included. */
  @MustBeClosed
  EntryCursor search(Q predicate) throws StorageException;

  /** All entries ascending by key, read sequentially, for a merge. */
  @MustBeClosed
  EntryCursor scan() throws StorageException;

  /**
   * Checks every structural rule of the kind: each page reachable once, keys in order and within
   * the bounds that interior pages state, no key twice. Kinds that check nothing but their keys
   * need not implement it.
   *
   * @return the number of entries seen
   * @throws CorruptionException naming the first page that breaks a rule
   */
  default long verify() throws StorageException {
    long entries = 0;
    Slice last = new Slice();
    try (EntryCursor cursor = scan()) {
      while (cursor.next()) {
        Slice key = cursor.entry().key();
        if (entries > 0 && last.compareBytes(key) >= 0) {
          throw new CorruptionException(toString(), -1, "key " + key + " does not follow " + last);
        }
        last.copyOf(key);
        entries++;
      }
    }
    return entries;
  }
}
