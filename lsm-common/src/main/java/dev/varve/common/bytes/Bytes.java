package dev.varve.common.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Fixed-width access to byte arrays at absolute offsets. Fields of our own formats are
 * little-endian; key bytes are compared unsigned, so a key's first eight bytes are read big-endian.
 * Thread-safe: no state.
 */
public final class Bytes {
  /** An array without bytes, shared because it cannot change. */
  public static final byte[] EMPTY = new byte[0];

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG_BIG_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private Bytes() {}

  /** Reads an unsigned 16-bit integer. */
  public static int getUnsignedShort(byte[] bytes, int offset) {
    return (short) SHORT.get(bytes, offset) & 0xFFFF;
  }

  /** Writes the low 16 bits of an integer. */
  public static void putShort(byte[] bytes, int offset, int value) {
    SHORT.set(bytes, offset, (short) value);
  }

  /** Reads a 32-bit integer. */
  public static int getInt(byte[] bytes, int offset) {
    return (int) INT.get(bytes, offset);
  }

  /** Writes a 32-bit integer. */
  public static void putInt(byte[] bytes, int offset, int value) {
    INT.set(bytes, offset, value);
  }

  /** Reads a 64-bit integer. */
  public static long getLong(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }

  /** Writes a 64-bit integer. */
  public static void putLong(byte[] bytes, int offset, long value) {
    LONG.set(bytes, offset, value);
  }

  /** Reads a 64-bit integer whose first byte is the most significant. */
  public static long getLongBigEndian(byte[] bytes, int offset) {
    return (long) LONG_BIG_ENDIAN.get(bytes, offset);
  }

  /** Writes a 64-bit integer, most significant byte first. */
  public static void putLongBigEndian(byte[] bytes, int offset, long value) {
    LONG_BIG_ENDIAN.set(bytes, offset, value);
  }

  /**
   * The head of a key: its first eight bytes as a big-endian number, padded with zeros. For two
   * keys, {@code Long.compareUnsigned(head(a), head(b))} never contradicts their order; when it is
   * zero the whole keys must be compared.
   */
  public static long head(byte[] bytes, int offset, int length) {
    if (length >= Long.BYTES) {
      return (long) LONG_BIG_ENDIAN.get(bytes, offset);
    }
    long head = 0;
    for (int i = 0; i < length; i++) {
      head |= (bytes[offset + i] & 0xFFL) << (56 - 8 * i);
    }
    return head;
  }

  /** Compares two byte strings unsigned and lexicographically; a prefix comes first. */
  public static int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    return Arrays.compareUnsigned(
        left, leftOffset, leftOffset + leftLength, right, rightOffset, rightOffset + rightLength);
  }
}
