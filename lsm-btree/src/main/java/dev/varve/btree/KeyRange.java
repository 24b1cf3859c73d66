package dev.varve.btree;

import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;

/**
 * What a B+-tree is searched with: the keys between two bounds, and the order in which they are
 * wanted. A range whose low bound lies above its high bound holds no key. Its ends are keys that
 * are in or out, or no bounds: a place between keys becomes one of these. Immutable.
 *
 * @param low where the range begins
 * @param high where it ends
 * @param direction the order in which entries are returned
 */
public record KeyRange(KeyBound low, KeyBound high, Direction direction) {
  /** No key lies both above and below the empty one. */
  private static final KeyBound BESIDE_EMPTY = KeyBound.exclusive(Bytes.EMPTY);

  private static final KeyRange ALL = between(KeyBound.unbounded(), KeyBound.unbounded());

  /** Order of the entries that a search returns. */
  public enum Direction {
    /** Lowest key first. */
    ASCENDING,
    /** Highest key first. */
    DESCENDING
  }

  /** Turns places between keys into keys that are in or out. */
  public KeyRange {
    KeyBound lowest = low.asLow();
    low = lowest == null ? BESIDE_EMPTY : lowest;
    high = lowest == null ? BESIDE_EMPTY : high.asHigh();
  }

  /** Every key. */
  public static KeyRange all() {
    return ALL;
  }

  /** The keys between two bounds, ascending. */
  public static KeyRange between(KeyBound low, KeyBound high) {
    return new KeyRange(low, high, Direction.ASCENDING);
  }

  /** One key. */
  public static KeyRange exactly(byte[] key) {
    return closed(key, key);
  }

  /** The keys from {@code low} to {@code high}, both included. */
  public static KeyRange closed(byte[] low, byte[] high) {
    return between(KeyBound.inclusive(low), KeyBound.inclusive(high));
  }

  /** The keys from {@code low}, included, to {@code high}, not included. */
  public static KeyRange closedOpen(byte[] low, byte[] high) {
    return between(KeyBound.inclusive(low), KeyBound.exclusive(high));
  }

  /** The keys that start with some bytes. */
  public static KeyRange prefix(byte[] prefix) {
    return between(KeyBound.inclusive(prefix), KeyBound.afterPrefix(prefix));
  }

  /** A key and all above. */
  public static KeyRange atLeast(byte[] low) {
    return between(KeyBound.inclusive(low), KeyBound.unbounded());
  }

  /** The keys above one. */
  public static KeyRange greaterThan(byte[] low) {
    return between(KeyBound.exclusive(low), KeyBound.unbounded());
  }

  /** A key and all below. */
  public static KeyRange atMost(byte[] high) {
    return between(KeyBound.unbounded(), KeyBound.inclusive(high));
  }

  /** The keys below one. */
  public static KeyRange lessThan(byte[] high) {
    return between(KeyBound.unbounded(), KeyBound.exclusive(high));
  }

  /** The same keys, highest first. */
  public KeyRange descending() {
    return new KeyRange(low, high, Direction.DESCENDING);
  }

  /** The same keys, lowest first. */
  public KeyRange ascending() {
    return new KeyRange(low, high, Direction.ASCENDING);
  }

  /** Whether a key is in the range. */
  public boolean contains(Slice key) {
    return low.admitsFromBelow(key) && high.admitsFromAbove(key);
  }
}
