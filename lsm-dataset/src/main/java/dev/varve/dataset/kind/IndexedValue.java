package dev.varve.dataset.kind;

import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import dev.varve.rtree.geometry.Rectangle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The value that one secondary index is on, of the record that its reader read last, which has one.
 * What it returns holds until the next record is read. Filled by the reader, and confined to the
 * reader's owner.
 */
public final class IndexedValue {
  private final KeyEncoder primaryKey;
  private final KeyEncoder encoded = new KeyEncoder();
  private final @Nullable TextValue text;
  private final Slice nothing = new Slice();
  private @Nullable Rectangle rectangle;
  private boolean present;

  /**
   * No value yet.
   *
   * @param primaryKey of the record that is read
   * @param text where the text of the record is read; null for an index that reads none
   */
  IndexedValue(KeyEncoder primaryKey, @Nullable TextValue text) {
    this.primaryKey = primaryKey;
    this.text = text;
  }

  /** Whether the record has one. */
  boolean present() {
    return present;
  }

  /** Says whether the record has one. */
  void setPresent(boolean now) {
    present = now;
  }

  /** What the encoded values of the indexed fields are put into. */
  KeyEncoder encoder() {
    return encoded;
  }

  /** The value is a point or rectangle; null for none. */
  void setRectangle(@Nullable Rectangle read) {
    rectangle = read;
    present = read != null;
  }

  /** The encoded primary key of the record. */
  public Slice primaryKey() {
    return primaryKey.toSlice();
  }

  /** The encoded values of the indexed fields, in order, where they are read as keys. */
  public Slice encoded() {
    assert present;
    return encoded.toSlice();
  }

  /** The point or rectangle, where one is read. */
  public Rectangle rectangle() {
    return Objects.requireNonNull(rectangle);
  }

  /** The text in UTF-8, where one is read. */
  public Slice text() {
    assert present;
    return Objects.requireNonNull(text).bytes();
  }

  /** No bytes, for entries without a value. */
  public Slice nothing() {
    return nothing;
  }
}
