package dev.varve.dataset.model;

import dev.varve.common.bytes.Slice;

/** A stream of records in the order of a secondary index. Confined to one thread. */
public interface OrderedCursor extends RecordCursor {
  /**
   * The key of the record's entry in the index: its values, and its primary key.
   *
   * @throws IllegalStateException when the cursor is at no record
   */
  Slice entryKey();

  /** By what a cursor over a dataset is ordered. */
  static Slice orderedBy(RecordCursor cursor) {
    return cursor instanceof OrderedCursor ordered ? ordered.entryKey() : cursor.key();
  }
}
