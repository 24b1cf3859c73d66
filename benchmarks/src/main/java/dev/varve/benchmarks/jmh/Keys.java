package dev.varve.benchmarks.jmh;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.format.Entry;

/**
 * Keys of 16 bytes for entries with values of 100, computed rather than stored, so that what is
 * measured is not a table of keys that falls out of the CPU's cache. Thread-safe: no state.
 */
final class Keys {
  /** Bytes of a key. */
  static final int KEY_BYTES = 16;

  /** Bytes of a value. */
  static final int VALUE_BYTES = 100;

  private Keys() {}

  /** Writes the key with a number, which has no relation to its place among the others. */
  static void random(byte[] key, long number) {
    long head = KeyHash.mix(number + 1);
    Bytes.putLongBigEndian(key, 0, head);
    Bytes.putLongBigEndian(key, Long.BYTES, number);
  }

  /** Writes the key with a number, above all keys with lower numbers. */
  static void increasing(byte[] key, long number) {
    Bytes.putLongBigEndian(key, 0, number);
    Bytes.putLongBigEndian(key, Long.BYTES, KeyHash.mix(number));
  }

  /** The same, but for the first eight bytes, which all keys have in common. */
  static void increasingBehindPrefix(byte[] key, long number) {
    Bytes.putLongBigEndian(key, 0, 0);
    Bytes.putLongBigEndian(key, Long.BYTES, number);
  }

  /**
   * Writes one of so many keys that lie evenly, but not equally, over all keys; ascending with
   * their number.
   */
  static void spread(byte[] key, int number, int count) {
    long distance = Long.divideUnsigned(-1, count);
    long jitter = Long.remainderUnsigned(KeyHash.mix(number), distance);
    Bytes.putLongBigEndian(key, 0, number * distance + jitter);
    Bytes.putLongBigEndian(key, Long.BYTES, KeyHash.mix(number + 1));
  }

  /** Writes a key that is none of the spread ones, right behind one of them. */
  static void absent(byte[] key, int number, int count) {
    spread(key, number, count);
    key[KEY_BYTES - 1] ^= 1;
  }

  /** A number below a bound, the one of a step of a sequence that jumps about. */
  static int scattered(long step, int bound) {
    return (int) (((KeyHash.mix(step) >>> Integer.SIZE) * bound) >>> Integer.SIZE);
  }

  /** An entry whose key is to be written into its array, with a value. */
  static Entry newEntry() {
    Entry entry = new Entry();
    entry.key().set(new byte[KEY_BYTES], 0, KEY_BYTES);
    entry.value().set(new byte[VALUE_BYTES], 0, VALUE_BYTES);
    return entry;
  }
}
