package dev.varve.common.bytes;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * A movable view of a byte string: an array, an offset and a length. The view does not own the
 * array unless {@link #copyOf} filled it. Mutable and confined to its owner; used so that hot paths
 * pass one reference instead of three arguments, and allocate nothing.
 */
public final class Slice {
  private byte[] bytes;
  private int offset;
  private int length;
  private byte[] owned = Bytes.EMPTY;

  /** A view of no bytes. */
  public Slice() {
    this.bytes = Bytes.EMPTY;
  }

  /** A view of a whole array. */
  public Slice(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  /** A view of a part of an array. */
  public Slice(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
  }

  /** Moves the view. */
  public Slice set(byte[] newBytes, int newOffset, int newLength) {
    assert newOffset >= 0 && newLength >= 0 && newOffset + newLength <= newBytes.length;
    this.bytes = newBytes;
    this.offset = newOffset;
    this.length = newLength;
    return this;
  }

  /** Copies a byte string into a buffer of this slice, which is reused, and views that. */
  public Slice copyOf(byte[] source, int sourceOffset, int sourceLength) {
    System.arraycopy(source, sourceOffset, reserve(sourceLength), 0, sourceLength);
    return this;
  }

  /**
   * Views so many bytes of a buffer of this slice, which is reused, for the caller to fill.
   *
   * @return the buffer, to be filled from its first byte on
   */
  public byte[] reserve(int newLength) {
    if (owned.length < newLength) {
      owned = new byte[Math.max(newLength, Math.min(2 * owned.length, 1 << 20))];
    }
    set(owned, 0, newLength);
    return owned;
  }

  /** Copies another slice's bytes into a buffer of this slice, which is reused. */
  public Slice copyOf(Slice other) {
    return copyOf(other.bytes, other.offset, other.length);
  }

  /** The array that is viewed; only {@link #offset} to {@code offset + length} belongs to it. */
  public byte[] bytes() {
    return bytes;
  }

  /** First byte of the view. */
  public int offset() {
    return offset;
  }

  /** Number of bytes in the view. */
  public int length() {
    return length;
  }

  /** The first eight bytes as a number that orders as the bytes do; see {@link Bytes#head}. */
  public long head() {
    return Bytes.head(bytes, offset, length);
  }

  /** Unsigned lexicographic order; a prefix comes first. */
  public int compareBytes(Slice other) {
    return Bytes.compare(bytes, offset, length, other.bytes, other.offset, other.length);
  }

  /** Whether both views hold the same bytes. */
  public boolean sameBytes(Slice other) {
    return Arrays.equals(
        bytes, offset, offset + length, other.bytes, other.offset, other.offset + other.length);
  }

  /** A copy of the bytes in view. */
  public byte[] toByteArray() {
    return Arrays.copyOfRange(bytes, offset, offset + length);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes, offset, offset + length);
  }
}
