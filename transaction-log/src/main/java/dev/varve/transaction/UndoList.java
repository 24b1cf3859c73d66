package dev.varve.transaction;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.transaction.log.LogOperation;
import java.util.Arrays;

/**
 * Inverse operations in one reused buffer, read from the last to the first. Confined to its
 * transaction.
 *
 * <p>An operation is its key, its value, and behind them four integers: length of the key, length
 * of the value, index and operation; so the end leads to the beginning.
 */
final class UndoList {
  private static final int TRAILER_BYTES = 4 * Integer.BYTES;
  private static final int KEPT_BYTES = 1 << 16;

  private byte[] bytes = new byte[512];
  private int length;
  private int count;

  void add(int index, LogOperation operation, Slice key, Slice value) {
    int keyLength = key.length();
    int valueLength = value.length();
    int end = Math.addExact(length, keyLength + valueLength + TRAILER_BYTES);
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
    }
    System.arraycopy(key.bytes(), key.offset(), bytes, length, keyLength);
    System.arraycopy(value.bytes(), value.offset(), bytes, length + keyLength, valueLength);
    int trailer = end - TRAILER_BYTES;
    Bytes.putInt(bytes, trailer, keyLength);
    Bytes.putInt(bytes, trailer + 4, valueLength);
    Bytes.putInt(bytes, trailer + 8, index);
    Bytes.putInt(bytes, trailer + 12, operation.code());
    length = end;
    count++;
  }

  /** Where the next operation will be. */
  int mark() {
    return length;
  }

  /** Applies the operations from a mark on, the last one first; they stay. */
  void applyInReverse(int mark, UndoTarget target) throws StorageException {
    Slice key = new Slice();
    Slice value = new Slice();
    int end = length;
    while (end > mark) {
      int trailer = end - TRAILER_BYTES;
      int keyLength = Bytes.getInt(bytes, trailer);
      int valueLength = Bytes.getInt(bytes, trailer + 4);
      int start = trailer - keyLength - valueLength;
      key.set(bytes, start, keyLength);
      value.set(bytes, start + keyLength, valueLength);
      int index = Bytes.getInt(bytes, trailer + 8);
      LogOperation operation = LogOperation.withCode((byte) Bytes.getInt(bytes, trailer + 12));
      if (operation == null) {
        throw new IllegalStateException("undo list is damaged");
      }
      target.undo(index, operation, key, value);
      end = start;
    }
    assert end == mark : "a mark in the middle of an operation";
  }

  /** Forgets the operations from a mark on. */
  void forget(int mark) {
    assert mark >= 0 && mark <= length : mark + " of " + length;
    while (length > mark) {
      int trailer = length - TRAILER_BYTES;
      length = trailer - Bytes.getInt(bytes, trailer) - Bytes.getInt(bytes, trailer + 4);
      count--;
    }
    assert length == mark : "a mark in the middle of an operation";
  }

  int size() {
    return count;
  }

  void clear() {
    length = 0;
    count = 0;
    if (bytes.length > KEPT_BYTES) {
      bytes = new byte[512];
    }
  }
}
