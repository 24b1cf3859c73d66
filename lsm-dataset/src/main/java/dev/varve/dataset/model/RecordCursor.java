package dev.varve.dataset.model;

import dev.varve.common.bytes.Slice;
import java.util.List;

/**
 * A stream of records with their primary keys. Confined to one thread; the caller closes it. Slices
 * are valid until the next call of {@link #next} or {@link #close}.
 */
public interface RecordCursor extends KeyCursor {
  /**
   * The record's bytes.
   *
   * @throws IllegalStateException when the cursor is at no record
   */
  Slice value();

  /** What is thrown when a cursor is asked for a record that it is not at. */
  static IllegalStateException atNoRecord() {
    return new IllegalStateException("the cursor is at no record, or closed");
  }

  /** Closes cursors, all of them also when one throws. */
  static void closeAll(List<? extends KeyCursor> cursors) {
    RuntimeException first = null;
    for (KeyCursor cursor : cursors) {
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
