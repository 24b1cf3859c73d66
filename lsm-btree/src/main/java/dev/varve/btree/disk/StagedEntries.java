package dev.varve.btree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import java.util.Arrays;

/**
 * Keys and values that wait until it is known how many share a page, and with it how long their
 * common prefix is. Keys come in ascending order. Confined.
 */
final class StagedEntries {
  private byte[] bytes = new byte[1 << 12];
  private int[] starts = new int[64];
  private int[] keyLengths = new int[64];
  private boolean[] flags = new boolean[64];
  private int used;
  private int count;
  private int prefixLength;

  int count() {
    return count;
  }

  /** Length of the prefix that all keys share; of the whole key when there is one. */
  int prefixLength() {
    return prefixLength;
  }

  /** What the prefix's length would be with one more key, the highest. */
  int prefixLengthWith(Slice key) {
    if (count == 0) {
      return key.length();
    }
    int from = key.offset();
    int mismatch =
        Arrays.mismatch(
            bytes, starts[0], starts[0] + prefixLength, key.bytes(), from, from + key.length());
    return mismatch < 0 ? prefixLength : mismatch;
  }

  /**
   * Copies an entry behind the others.
   *
   * @param newPrefixLength the length of the prefix that all keys share then
   */
  void add(Slice key, Slice value, boolean flag, int newPrefixLength) {
    prefixLength = newPrefixLength;
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      keyLengths = Arrays.copyOf(keyLengths, 2 * count);
      flags = Arrays.copyOf(flags, 2 * count);
    }
    int length = key.length() + value.length();
    if (used + length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, used + length));
    }
    System.arraycopy(key.bytes(), key.offset(), bytes, used, key.length());
    System.arraycopy(value.bytes(), value.offset(), bytes, used + key.length(), value.length());
    starts[count] = used;
    keyLengths[count] = key.length();
    flags[count] = flag;
    used += length;
    count++;
  }

  void clear() {
    used = 0;
    count = 0;
    prefixLength = 0;
  }

  int keyLength(int index) {
    return keyLengths[index];
  }

  int valueLength(int index) {
    return end(index) - starts[index] - keyLengths[index];
  }

  boolean flag(int index) {
    return flags[index];
  }

  /** The head of a key's rest after the prefix. */
  long head(int index) {
    return Bytes.head(bytes, starts[index] + prefixLength, keyLengths[index] - prefixLength);
  }

  /** Views the last key. */
  void viewLastKey(Slice key) {
    key.set(bytes, starts[count - 1], keyLengths[count - 1]);
  }

  /** Copies the prefix and returns the offset behind it. */
  int copyPrefix(byte[] page, int at) {
    System.arraycopy(bytes, starts[0], page, at, prefixLength);
    return at + prefixLength;
  }

  /** Copies what stands behind a key's first bytes, its value included; returns the end. */
  int copyBehind(int index, int skipped, byte[] page, int at) {
    int from = starts[index] + Math.min(skipped, keyLengths[index]);
    int length = end(index) - from;
    System.arraycopy(bytes, from, page, at, length);
    return at + length;
  }

  /** The 32-bit number that an entry has as its value. */
  int number(int index) {
    return Bytes.getInt(bytes, starts[index] + keyLengths[index]);
  }

  /** Copies a key's rest after the prefix and returns the offset behind it. */
  int copyKeyRest(int index, byte[] page, int at) {
    int length = keyLengths[index] - prefixLength;
    System.arraycopy(bytes, starts[index] + prefixLength, page, at, length);
    return at + length;
  }

  private int end(int index) {
    return index + 1 < count ? starts[index + 1] : used;
  }
}
