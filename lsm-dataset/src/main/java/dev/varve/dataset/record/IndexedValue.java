package dev.varve.dataset.record;

import dev.varve.common.bytes.Slice;
import dev.varve.rtree.geometry.Rectangle;

/**
 * The value that one secondary index is on, of the record that its reader read last, which has one.
 * What it returns holds until the next record is read. Confined to the reader's owner.
 */
public final class IndexedValue {
  private final RecordReader reader;
  private final int index;
  private final Slice nothing = new Slice();

  IndexedValue(RecordReader reader, int index) {
    this.reader = reader;
    this.index = index;
  }

  /** The encoded primary key of the record. */
  public Slice primaryKey() {
    return reader.primaryKey();
  }

  /** The encoded values of the indexed fields, in order, where they are read as keys. */
  public Slice encoded() {
    return reader.secondaryKey(index);
  }

  /** The point or rectangle, where one is read. */
  public Rectangle rectangle() {
    return reader.rectangle(index);
  }

  /** The text in UTF-8, where one is read. */
  public Slice text() {
    return reader.text(index);
  }

  /** No bytes, for entries without a value. */
  public Slice nothing() {
    return nothing;
  }
}
