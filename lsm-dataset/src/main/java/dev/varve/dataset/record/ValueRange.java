package dev.varve.dataset.record;

import dev.varve.btree.KeyRange;
import dev.varve.btree.bound.KeyBound;

/**
 * Ranges over encoded values, for scans by primary key and searches by secondary key. A bound with
 * fewer values than the index's keys stands for every key that begins with it: {@code atMost(5)}
 * holds each entry whose first value is 5. A range without a bound on one side goes on into the
 * values of other types. For the raw keys of a key-value store use {@link KeyRange} itself.
 * Thread-safe: no state.
 */
public final class ValueRange {
  private ValueRange() {}

  /** Every key, of every type. */
  public static KeyRange all() {
    return KeyRange.all();
  }

  /** One key, or every key that begins with it. */
  public static KeyRange exactly(Key key) {
    return closed(key, key);
  }

  /** From one key to another, both included. */
  public static KeyRange closed(Key low, Key high) {
    return KeyRange.between(
        KeyBound.inclusive(low.toBytes()), KeyBound.afterPrefix(high.toBytes()));
  }

  /** From one key, included, to another, left out. */
  public static KeyRange closedOpen(Key low, Key high) {
    return KeyRange.closedOpen(low.toBytes(), high.toBytes());
  }

  /** A key and all above. */
  public static KeyRange atLeast(Key low) {
    return KeyRange.atLeast(low.toBytes());
  }

  /** A key and all below. */
  public static KeyRange atMost(Key high) {
    return KeyRange.between(KeyBound.unbounded(), KeyBound.afterPrefix(high.toBytes()));
  }

  /** The keys below one. */
  public static KeyRange below(Key high) {
    return KeyRange.lessThan(high.toBytes());
  }
}
