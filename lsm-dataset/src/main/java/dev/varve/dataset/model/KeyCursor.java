package dev.varve.dataset.model;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;

/**
 * A stream of primary keys. Confined to one thread; the caller closes it. Slices are valid until
 * the next call of {@link #next} or {@link #close}.
 */
public interface KeyCursor extends AutoCloseable {
  /**
   * Moves to the next key; false at the end, and from then on.
   *
   * @throws IllegalStateException when the cursor or the engine was closed
   */
  boolean next() throws StorageException;

  /**
   * The encoded primary key.
   *
   * @throws IllegalStateException when the cursor is at no key: before the first, at the end, or
   *     closed
   */
  Slice key();

  /** Gives the snapshot back; idempotent. */
  @Override
  void close();

  /** How many keys are left, which are passed; the cursor stays open. */
  static long count(KeyCursor cursor) throws StorageException {
    long count = 0;
    while (cursor.next()) {
      count++;
    }
    return count;
  }
}
