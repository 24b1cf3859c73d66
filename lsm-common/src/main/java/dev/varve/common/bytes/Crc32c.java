package dev.varve.common.bytes;

import java.util.zip.CRC32C;

/**
 * CRC-32C (Castagnoli), the checksum of every page and log record. An instance is a running sum
 * that its owner resets and reuses, so that a checksum allocates nothing; confined to its owner.
 */
public final class Crc32c {
  private final CRC32C sum = new CRC32C();

  /** A sum over no bytes. */
  public Crc32c() {}

  /** The checksum of a range, for callers without an instance of their own. */
  public static int of(byte[] bytes, int offset, int length) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, offset, length);
    return (int) sum.getValue();
  }

  /** Forgets everything. */
  public Crc32c reset() {
    sum.reset();
    return this;
  }

  /** Adds a range of bytes. */
  public Crc32c update(byte[] bytes, int offset, int length) {
    sum.update(bytes, offset, length);
    return this;
  }

  /** Adds the four bytes of an integer, least significant first. */
  public Crc32c updateInt(int value) {
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      sum.update(value >>> shift);
    }
    return this;
  }

  /** Adds the eight bytes of an integer, least significant first. */
  public Crc32c updateLong(long value) {
    return updateInt((int) value).updateInt((int) (value >>> Integer.SIZE));
  }

  /** The checksum of what was added since the last reset. */
  public int value() {
    return (int) sum.getValue();
  }
}
