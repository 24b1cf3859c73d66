package dev.varve.dataset.internal.value;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Crc32c;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;

/**
 * Where a large value lies: what is stored, logged, flushed and merged in its place. A value that
 * is no reference and has the length and the first bytes of one is kept apart, too, so that no byte
 * more says of the others what they are.
 *
 * <pre>
 *  offset  bytes  field
 *       0      8  magic
 *       8      8  number of the file
 *      16      4  offset of the value in the file
 *      20      4  length of the value
 *      24      4  CRC32C of the value
 * </pre>
 *
 * @param file number of the file
 * @param offset of the first byte in it
 * @param length in bytes
 * @param checksum CRC32C of the bytes
 */
record ValueReference(long file, int offset, int length, int checksum) {
  static final int BYTES = 28;

  private static final long MAGIC = 0x9D3A_F17C_52E8_0B64L;
  private static final int FILE = 8;
  private static final int OFFSET = 16;
  private static final int LENGTH = 20;
  private static final int CHECKSUM = 24;

  /** Whether bytes that are stored are those of a reference. */
  static boolean is(Slice stored) {
    return stored.length() == BYTES && Bytes.getLong(stored.bytes(), stored.offset()) == MAGIC;
  }

  static ValueReference read(Slice stored) {
    assert is(stored) : stored.length();
    byte[] bytes = stored.bytes();
    int at = stored.offset();
    return new ValueReference(
        Bytes.getLong(bytes, at + FILE),
        Bytes.getInt(bytes, at + OFFSET),
        Bytes.getInt(bytes, at + LENGTH),
        Bytes.getInt(bytes, at + CHECKSUM));
  }

  /** Whether the value is in a file, whole. */
  boolean isIn(StorageFile file) throws DiskException {
    if (length < 0 || (long) offset + length > file.size()) {
      return false;
    }
    byte[] value = new byte[length];
    return file.read(offset, value, 0, length) == length && Crc32c.of(value, 0, length) == checksum;
  }

  byte[] toBytes() {
    byte[] bytes = new byte[BYTES];
    Bytes.putLong(bytes, 0, MAGIC);
    Bytes.putLong(bytes, FILE, file);
    Bytes.putInt(bytes, OFFSET, offset);
    Bytes.putInt(bytes, LENGTH, length);
    Bytes.putInt(bytes, CHECKSUM, checksum);
    return bytes;
  }
}
