package dev.varve.benchmarks.text;

import java.util.Arrays;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;

/** A text and its number as Hyracks takes them: a length in front of the text. */
final class HyracksText implements ITupleReference {
  /** The field with the number. */
  static final int ID = 1;

  /** Bits of a byte of a length. */
  private static final int LENGTH_BITS = 7;

  private static final int MORE = 0x80;
  private static final int LONGEST_LENGTH = 2;

  private byte[] bytes = new byte[0];
  private final byte[] id = new byte[Integer.BYTES];
  private int textLength;

  HyracksText set(byte[] text, int number) {
    if (text.length >= 1 << (LENGTH_BITS * LONGEST_LENGTH)) {
      throw new IllegalArgumentException("a text of " + text.length + " bytes");
    }
    if (bytes.length < text.length + LONGEST_LENGTH) {
      bytes = Arrays.copyOf(bytes, text.length + LONGEST_LENGTH);
    }
    int at = 0;
    if (text.length >= MORE) {
      bytes[at++] = (byte) (text.length >> LENGTH_BITS | MORE);
    }
    bytes[at++] = (byte) (text.length & (MORE - 1));
    System.arraycopy(text, 0, bytes, at, text.length);
    textLength = at + text.length;
    for (int i = 0; i < id.length; i++) {
      id[i] = (byte) (number >> (Byte.SIZE * (id.length - 1 - i)));
    }
    return this;
  }

  @Override
  public int getFieldCount() {
    return ID + 1;
  }

  @Override
  public byte[] getFieldData(int field) {
    return field == ID ? id : bytes;
  }

  @Override
  public int getFieldStart(int field) {
    return 0;
  }

  @Override
  public int getFieldLength(int field) {
    return field == ID ? id.length : textLength;
  }
}
