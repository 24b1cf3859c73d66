package dev.varve.dataset;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Byte strings that one process hands to another in a file: records, or keys and values in turn;
 * see docs/format/requests.md. Never forced, for nothing in it should survive a crash. Immutable.
 *
 * @param files where it is
 * @param path of it
 */
record RecordBatch(FileSystem files, Path path) {
  /** Most bytes of a file. */
  private static final int MAX_BYTES = 256 << 20;

  private static final int CRC_BYTES = 4;
  private static final int LENGTH_BYTES = 4;

  /** Writes the file, which is not there. */
  void write(List<byte[]> strings) throws StorageException {
    long size = CRC_BYTES;
    for (byte[] each : strings) {
      size += LENGTH_BYTES + each.length;
    }
    if (size > MAX_BYTES) {
      throw new IllegalArgumentException(size + " bytes in one request, at most " + MAX_BYTES);
    }
    byte[] bytes = new byte[(int) size];
    int at = CRC_BYTES;
    for (byte[] each : strings) {
      Bytes.putInt(bytes, at, each.length);
      System.arraycopy(each, 0, bytes, at + LENGTH_BYTES, each.length);
      at += LENGTH_BYTES + each.length;
    }
    assert at == bytes.length : at;
    Bytes.putInt(bytes, 0, crc(bytes));
    try (StorageFile file = files.open(path, OpenMode.CREATE_NEW)) {
      file.write(0, bytes, 0, bytes.length);
    }
  }

  /** Reads it, checked; empty when it is not there. */
  List<byte[]> read() throws StorageException {
    List<byte[]> strings = new ArrayList<>();
    if (!files.exists(path)) {
      return strings;
    }
    byte[] bytes = bytes();
    int at = CRC_BYTES;
    while (at < bytes.length) {
      int length = at > bytes.length - LENGTH_BYTES ? -1 : Bytes.getInt(bytes, at);
      if (length < 0 || length > bytes.length - at - LENGTH_BYTES) {
        throw new CorruptionException(path.toString(), at, "length " + length);
      }
      byte[] string = new byte[length];
      System.arraycopy(bytes, at + LENGTH_BYTES, string, 0, length);
      strings.add(string);
      at += LENGTH_BYTES + length;
    }
    return strings;
  }

  private byte[] bytes() throws StorageException {
    try (StorageFile file = files.open(path, OpenMode.READ_ONLY)) {
      long size = file.size();
      if (size < CRC_BYTES || size > MAX_BYTES) {
        throw new CorruptionException(path.toString(), -1, size + " bytes");
      }
      byte[] bytes = new byte[(int) size];
      int read = file.read(0, bytes, 0, bytes.length);
      if (read < bytes.length || Bytes.getInt(bytes, 0) != crc(bytes)) {
        throw new CorruptionException(path.toString(), 0, "wrong checksum");
      }
      return bytes;
    }
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, CRC_BYTES, bytes.length - CRC_BYTES);
    return (int) crc.getValue();
  }
}
