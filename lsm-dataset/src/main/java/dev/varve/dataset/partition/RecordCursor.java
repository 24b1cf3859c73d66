package dev.varve.dataset.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import java.util.List;

/**
 * A stream of records with their primary keys. Confined to one thread; the caller closes it. Slices
 * are valid until the next call of {@link #next} or {@link #close}.
 */
public interface RecordCursor extends AutoCloseable {
  /**
   * Moves to the next record; false at the end, and from then on.
   *
   * @throws IllegalStateException when the cursor or the engine was closed
   */
  boolean next() throws StorageException;

  /**
   * The encoded primary key.
   *
   * @throws IllegalStateException when the cursor is at no record: before the first, at the end, or
   *     closed
   */
  Slice key();

  /**
   * The record's bytes.
   *
   * @throws IllegalStateException when the cursor is at no record
   */
  Slice value();

  /** Gives the snapshot back; idempotent. */
  @Override
  void close();

  /** What is thrown when a cursor is asked for a record that it is not at. */
  static IllegalStateException atNoRecord() {
    return new IllegalStateException("the cursor is at no record, or closed");
  }

  /** Closes cursors, all of them also when one throws. */
  static void closeAll(List<? extends RecordCursor> cursors) {
    RuntimeException first = null;
    for (RecordCursor cursor : cursors) {
      try {
        cursor.close();
      } catch (RuntimeException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
