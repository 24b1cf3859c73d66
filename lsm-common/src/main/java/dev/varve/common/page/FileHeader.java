package dev.varve.common.page;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Crc32c;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.StorageException;

/** What stands in the header page of a component file. */
record FileHeader(long storeId, int pageSize, long fileId) {
  /** Reads and checks the header page. */
  static FileHeader read(StorageFile file, long expectedStoreId) throws StorageException {
    String name = file.path().toString();
    byte[] fields = new byte[ComponentFileLayout.HEADER_BYTES];
    int read = file.read(0, fields, 0, fields.length);
    if (read < fields.length) {
      throw new CorruptionException(name, 0, "the file ends within its header, at " + read);
    }
    long magic = Bytes.getLong(fields, ComponentFileLayout.MAGIC);
    if (magic != ComponentFileLayout.MAGIC_VALUE) {
      throw mismatch(name, ComponentFileLayout.MAGIC, ComponentFileLayout.MAGIC_VALUE, magic);
    }
    int expected = Crc32c.of(fields, 0, ComponentFileLayout.HEADER_CRC);
    int found = Bytes.getInt(fields, ComponentFileLayout.HEADER_CRC);
    if (found != expected) {
      throw new CorruptionException(
          name,
          ComponentFileLayout.HEADER_CRC,
          String.format("checksum of the header: %08x expected, %08x found", expected, found));
    }
    // The checksum holds, so what follows is what was written, by whichever version.
    requireReadable(name, fields);
    int pageSize = Bytes.getInt(fields, ComponentFileLayout.PAGE_SIZE);
    if (!ComponentFileLayout.isPageSize(pageSize)) {
      throw new CorruptionException(name, ComponentFileLayout.PAGE_SIZE, "page size " + pageSize);
    }
    long storeId = Bytes.getLong(fields, ComponentFileLayout.STORE_ID);
    if (storeId != expectedStoreId) {
      throw mismatch(name, ComponentFileLayout.STORE_ID, expectedStoreId, storeId);
    }
    requireZeros(file, pageSize);
    return new FileHeader(storeId, pageSize, Bytes.getLong(fields, ComponentFileLayout.FILE_ID));
  }

  /** Checks that a page is the one that was written at its place in this file. */
  void requireChecksum(String name, int pageNumber, byte[] page, int at, int length)
      throws CorruptionException {
    int expected =
        new Crc32c()
            .update(page, at + PageLayout.KIND, length - PageLayout.KIND)
            .updateLong(fileId)
            .updateInt(pageNumber)
            .value();
    int found = Bytes.getInt(page, at + PageLayout.CRC);
    if (found != expected) {
      throw new CorruptionException(
          name,
          (long) pageNumber * pageSize,
          String.format(
              "checksum of page %d: %08x expected, %08x found", pageNumber, expected, found));
    }
  }

  private static void requireReadable(String name, byte[] fields) throws StorageException {
    int kind = Bytes.getUnsignedShort(fields, ComponentFileLayout.FILE_KIND);
    if (kind != ComponentFileLayout.KIND_COMPONENT) {
      throw mismatch(name, ComponentFileLayout.FILE_KIND, ComponentFileLayout.KIND_COMPONENT, kind);
    }
    int version = Bytes.getUnsignedShort(fields, ComponentFileLayout.VERSION);
    int oldestReader = Bytes.getUnsignedShort(fields, ComponentFileLayout.OLDEST_READER);
    if (version == 0 || oldestReader > ComponentFileLayout.CURRENT_VERSION) {
      throw new FormatVersionException(name, version, ComponentFileLayout.CURRENT_VERSION);
    }
  }

  private static void requireZeros(StorageFile file, int pageSize) throws StorageException {
    byte[] rest = new byte[pageSize - ComponentFileLayout.HEADER_BYTES];
    int read = file.read(ComponentFileLayout.HEADER_BYTES, rest, 0, rest.length);
    for (int i = 0; i < rest.length; i++) {
      if (i >= read || rest[i] != 0) {
        throw new CorruptionException(
            file.path().toString(),
            ComponentFileLayout.HEADER_BYTES + i,
            i >= read ? "the file ends within its header page" : "0 expected, " + rest[i]);
      }
    }
  }

  private static CorruptionException mismatch(String name, int offset, long expected, long found) {
    return new CorruptionException(
        name, offset, String.format("%x expected, %x found", expected, found));
  }
}
