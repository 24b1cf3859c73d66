package dev.varve.hyracks.adapter;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import java.util.Arrays;
import org.apache.hyracks.util.encoding.VarLenIntEncoderDecoder;

/** A growing array that bytes are appended to. Confined to its owner, reused. */
final class ByteSink {
  private byte[] bytes = new byte[64];
  private int length;

  void clear() {
    length = 0;
  }

  int length() {
    return length;
  }

  byte[] bytes() {
    return bytes;
  }

  void add(int value) {
    room(1);
    bytes[length++] = (byte) value;
  }

  void add(byte[] source, int offset, int count) {
    room(count);
    System.arraycopy(source, offset, bytes, length, count);
    length += count;
  }

  /** Appends the low {@code width} bytes of a number, most significant first. */
  void addBigEndian(long value, int width) {
    room(width);
    for (int shift = Byte.SIZE * (width - 1); shift >= 0; shift -= Byte.SIZE) {
      bytes[length++] = (byte) (value >>> shift);
    }
  }

  /** Appends a length in the variable-length form of Hyracks' strings and byte arrays. */
  void addHyracksLength(int count) {
    room(5);
    length += VarLenIntEncoderDecoder.encode(count, bytes, length);
  }

  /** Views what was appended; valid until the next change. */
  Slice view(Slice target) {
    return target.set(bytes, 0, length);
  }

  byte[] toByteArray() {
    return length == 0 ? Bytes.EMPTY : Arrays.copyOf(bytes, length);
  }

  private void room(int count) {
    if (bytes.length - length < count) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
    }
  }
}
