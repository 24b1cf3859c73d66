package dev.varve.dataset.model;

import dev.varve.btree.KeyRange;
import dev.varve.btree.bound.KeyBound;

/**
 * Ranges over encoded values, for scans by primary key and searches by secondary key. A bound with
 * fewer values than the index's keys stands for every key that begins with it: {@code atMost(5)}
 * holds each entry whose first value is 5, {@code above(5)} none of them. A range without a bound
 * on one side goes on into the values of other types. Scans and searches of a dataset take the
 * bounds of any {@link KeyRange} so ({@link #ofValues}); for the raw keys of a key-value store a
 * bound is the key itself. Thread-safe: no state.
 */
public final class ValueRange {
  private ValueRange() {}

  /** Every key, of every type. */
  public static KeyRange all() {
    return KeyRange.all();
  }

  /** One key, or every key that begins with it. */
  public static KeyRange exactly(Key key) {
    return KeyRange.prefix(key.toBytes());
  }

  /** From one key to another, both included. */
  public static KeyRange closed(Key low, Key high) {
    return ofValues(KeyRange.closed(low.toBytes(), high.toBytes()));
  }

  /** From one key, included, to another, left out. */
  public static KeyRange closedOpen(Key low, Key high) {
    return KeyRange.closedOpen(low.toBytes(), high.toBytes());
  }

  /** From one key, left out, to another, included. */
  public static KeyRange openClosed(Key low, Key high) {
    return KeyRange.between(
        KeyBound.afterPrefix(low.toBytes()), KeyBound.afterPrefix(high.toBytes()));
  }

  /** From one key to another, both left out. */
  public static KeyRange open(Key low, Key high) {
    return KeyRange.between(
        KeyBound.afterPrefix(low.toBytes()), KeyBound.exclusive(high.toBytes()));
  }

  /** A key and all above. */
  public static KeyRange atLeast(Key low) {
    return KeyRange.atLeast(low.toBytes());
  }

  /** The keys above one. */
  public static KeyRange above(Key low) {
    return KeyRange.between(KeyBound.afterPrefix(low.toBytes()), KeyBound.unbounded());
  }

  /** A key and all below. */
  public static KeyRange atMost(Key high) {
    return KeyRange.between(KeyBound.unbounded(), KeyBound.afterPrefix(high.toBytes()));
  }

  /** The keys below one. */
  public static KeyRange below(Key high) {
    return KeyRange.lessThan(high.toBytes());
  }

  /**
   * The same range of values: a bound that is left out leaves every key out that begins with it, as
   * one that is included takes every such key in.
   */
  public static KeyRange ofValues(KeyRange range) {
    KeyBound low = range.low();
    KeyBound high = range.high();
    boolean lowOut = low.isBounded() && !low.isInclusive();
    boolean highIn = high.isBounded() && high.isInclusive();
    if (!lowOut && !highIn) {
      return range;
    }
    return new KeyRange(
        lowOut ? KeyBound.afterPrefix(low.key().toByteArray()) : low,
        highIn ? KeyBound.afterPrefix(high.key().toByteArray()) : high,
        range.direction());
  }
}
