package dev.varve.dataset.model;

/** A stream of records from the nearest to the farthest. Confined to one thread. */
public interface RankedCursor extends RecordCursor {
  /**
   * How far the current record is from where the search began.
   *
   * @throws IllegalStateException when the cursor is at no record
   */
  double distance();
}
