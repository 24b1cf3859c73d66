package dev.varve.common.format;

import dev.varve.common.error.StorageException;

/**
 * A stream of entries, ascending by key unless the search asked for descending order. Confined to
 * one thread; the caller closes it.
 */
public interface EntryCursor extends AutoCloseable {
  /** What a cursor says for a position that does not know it. */
  long NOWHERE = -1;

  /** Moves to the next entry; false at the end, and from then on. */
  boolean next() throws StorageException;

  /**
   * The current entry; its bytes are valid until the next call of {@link #next} or close. A cursor
   * of one component, or of a level, has the same object for all of its entries.
   */
  Entry entry();

  /**
   * Where the current entry lies in its disk component: the same number in every cursor over it,
   * and no other entry has it. {@link #NOWHERE} in cursors over several components or one in
   * memory, and of kinds that do not know it.
   */
  default long position() {
    return NOWHERE;
  }

  /** Gives pages and snapshots back; idempotent. */
  @Override
  void close();
}
